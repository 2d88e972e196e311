import { z } from "zod";

/** Amounts are counted in tenths of a millimetre, as the file gives them, so that sums are exact. */
const Day = z
  .object({ location: z.string(), date: z.iso.date(), precipitation: z.string(), weather: z.string() })
  .transform((row) => ({ ...row, tenths: Math.round(Number(row.precipitation) * 10) }));
export type Day = z.infer<typeof Day>;

export const HEAVY_MM = 20;

/** Reads the days of the weather file, in file order; none of its values is quoted. */
export function readDays(csv: string): Day[] {
  const [names = [], ...records] = csv
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split(","));
  const days = records.map((values) =>
    Object.fromEntries(values.map((value, place) => [names[place], value])),
  );
  return z.array(Day).parse(days);
}

const PRECIPITATION = "precipitation";

/** The three numbers of the story that the service proves, each with the question that gives it. */
const PROVED = [
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
