import type { Figures } from "./story.ts";

const PRECIPITATION = "precipitation";

/** The three numbers of the story that the service proves, each with the question that gives it. */
export const PROVED = [
  { name: "seattle.total", op: "sum", location: "Seattle" },
  { name: "new_york.total", op: "sum", location: "New York" },
  { name: "new_york.wettest", op: "max", location: "New York" },
] as const;

/** The `figures` of the story's payload. */
export function nameProved(figures: Figures, assetId: string, hash: string): object[] {
  return PROVED.map(({ name, op, location }) => ({
    text: `${figures[name]} mm`,
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
