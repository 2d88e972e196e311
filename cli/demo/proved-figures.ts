const PRECIPITATION = "precipitation";

/** The three numbers of the story that the service proves, each with the question that gives it. */
export const PROVED = [
  { text: "4,426.0 mm", op: "sum", location: "Seattle" },
  { text: "4,178.6 mm", op: "sum", location: "New York" },
  { text: "118.9 mm", op: "max", location: "New York" },
] as const;

/** The `figures` of the story's payload. */
export function nameProved(assetId: string, hash: string): object[] {
  return PROVED.map(({ text, op, location }) => ({
    text,
    from: {
      asset_id: assetId,
      content_sha256: hash,
      filter: [{ column: "location", op: "eq", value: location }],
      aggregate: [{ op, column: PRECIPITATION }],
    },
    decimals: 1,
    unit: "mm",
  }));
}
