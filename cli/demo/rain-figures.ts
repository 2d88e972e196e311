import { z } from "zod";

/** Amounts are counted in tenths of a millimetre, as the file gives them, so that sums are exact. */
const Day = z
  .object({ location: z.string(), date: z.iso.date(), precipitation: z.string(), weather: z.string() })
  .transform((row) => ({ ...row, tenths: Math.round(Number(row.precipitation) * 10) }));
export type Day = z.infer<typeof Day>;

export const HEAVY_MM = 20;
const PRECIPITATION = "precipitation";

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

/** The three numbers of the story that the service proves, each with the question that gives it. */
export const PROVED = [
  { text: "4,426.0 mm", location: "Seattle", aggregate: { op: "sum", column: PRECIPITATION }, decimals: 1 },
  { text: "4,178.6 mm", location: "New York", aggregate: { op: "sum", column: PRECIPITATION }, decimals: 1 },
  { text: "1,460 days", location: "Seattle", aggregate: { op: "count" }, decimals: 0 },
] as const;

/** The last of them once the last day is there. */
export const ALL_DAYS = "1,461 days";

const LAST_DAY = "\nSeattle,2015-12-31,";

/** The file without Seattle's last day, which comes late; that day as a row to append; and the file that this makes. */
export function splitLastDay(csv: string): { first: Buffer; lastDay: object; whole: Buffer } {
  const start = csv.indexOf(LAST_DAY) + 1;
  const end = csv.indexOf("\n", start) + 1;
  const line = csv.slice(start, end);
  const names = csv.slice(0, csv.indexOf("\n")).split(",");
  const values = line.trimEnd().split(",");
  const first = csv.slice(0, start) + csv.slice(end);
  const lastDay = Object.fromEntries(names.map((name, place) => [name, values[place]]));
  return { first: Buffer.from(first), lastDay, whole: Buffer.from(first + line) };
}

/** The `figures` of the story's payload. */
export function nameProved(assetId: string, hash: string): object[] {
  return PROVED.map(({ text, location, aggregate, decimals }) => ({
    text,
    from: {
      asset_id: assetId,
      content_sha256: hash,
      filter: [{ column: "location", op: "eq", value: location }],
      aggregate: [aggregate],
    },
    decimals,
    unit: text.split(" ")[1],
  }));
}
