import { z } from "zod";

/** Amounts are counted in tenths of a millimetre, as the file gives them, so that sums are exact. */
const Day = z
  .object({ location: z.string(), date: z.iso.date(), precipitation: z.string(), weather: z.string() })
  .transform((row) => ({ ...row, tenths: Math.round(Number(row.precipitation) * 10) }));
export type Day = z.infer<typeof Day>;

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
