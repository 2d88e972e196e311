import { z } from "zod";
import { FILTER_OPS } from "../../../shared/tables/rows/conditions.ts";
import { MOST_COLUMNS_A_CALL } from "../../../shared/tables/rows/query.ts";
import { Column } from "./asset.ts";
import { Cell, count, dataOf, rowsOf, sha256AsRead } from "./members.ts";

/** How many columns of the table an answer lacks whose request names none. */
export const LeftOut = count
  .optional()
  .describe(
    `How many columns of the table follow these; only where none was named, and the table has more than ${MOST_COLUMNS_A_CALL}.`,
  );

/** GET /media/{asset}/rows. */
export const Rows = rowsOf(
  z.strictObject({
    columns: z.array(z.string()),
    rows: z.array(z.array(Cell)).describe("Each a list in column order; an empty cell is null."),
    returned: count,
    matched: count.describe("Rows after the conditions."),
    total: count.describe("Rows of the table."),
    next_offset: count.nullable().describe("Null on the last part."),
    columns_left_out: LeftOut,
    filter: z
      .array(z.strictObject({ column: z.string(), op: z.enum(FILTER_OPS), value: z.string().optional() }))
      .describe("The conditions that the rows meet; `[]` where none was asked."),
    content_sha256: sha256AsRead,
    revision_number: z.int().describe("The live revision that has the file, else the newest published one."),
  }),
);

const quartiles = z.strictObject({ q1: z.number(), median: z.number(), q3: z.number() });
const numberHistogram = z.strictObject({ from: z.number(), to: z.number(), counts: z.array(count) });
const dateHistogram = z.strictObject({
  from: z.string().describe("The first day of the first bin, as in 2026-11-20."),
  to: z.string().describe("The day after the last bin."),
  unit: z.enum(["day", "month", "year"]).describe("Each bin is as many of these wide as the others."),
  counts: z.array(count),
});
const extreme = z.union([z.number(), z.string()]).nullable();

const ColumnStats = z.strictObject({
  name: z.string(),
  type: Column.shape.type,
  count: count.describe("Cells with a value."),
  blanks: count.describe("Cells without a text."),
  missing: count.describe(
    "Cells that the dictionary of the file calls missing; all other figures are without them.",
  ),
  distinct: count
    .nullable()
    .describe("Different values as they are written: exact, or null where there are over 1,000,000."),
  distinct_over: count.optional().describe("Where distinct is null: more than so many values are different."),
  min: extreme.describe(
    "The smallest number, or the first date or text by code point; null for other types.",
  ),
  max: extreme,
  mean: z.number().nullable().describe("Of numbers; null for other types, and beyond double precision."),
  quartiles: quartiles.nullable().describe("Of numbers; between two ranks in proportion."),
  top_values: z
    .array(z.strictObject({ value: Cell, count }))
    .describe(
      "Up to ten that occur most, none where distinct is null; one of over 100 characters is a text that ends in an ellipsis.",
    ),
  histogram: z
    .union([numberHistogram, dateHistogram])
    .nullable()
    .describe(
      "Of numbers and dates: the cells in each of up to 20 equal bins with round edges, each up to the next edge; null where one bin would hold all.",
    ),
});

/** GET /media/{asset}/stats. */
export const Stats = dataOf(
  z.strictObject({
    table: z
      .string()
      .nullable()
      .describe("The record list of a JSON document; null where the file is one table."),
    row_count: count,
    columns: z.array(ColumnStats),
    columns_left_out: count.describe("Columns of a very wide file that are not measured: the last ones."),
  }),
);
