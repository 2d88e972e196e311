import { z } from "zod";
import { describeMember } from "../../../shared/requests/members.ts";
import { CHANGE_NAMES } from "../../../shared/tables/differences/list-changes.ts";
import { MOST_KEY_COLUMNS } from "../../../shared/tables/differences/plan-diff.ts";
import { Cell, count, optional, rowsOf, sha256AsRead, Ulid } from "./members.ts";
import { RowsParameters } from "./queries.ts";

/** The query of GET /media/{asset}/diff. */
export const DiffParameters = z.object({
  base: describeMember(
    z.string(),
    "The id of the older file, which readers may fetch too; the file's own id gives an empty diff.",
    "01M7WVM8W0T8NYB19BE1ATAT9N",
  ),
  ...RowsParameters.pick({ table: true, offset: true, limit: true, "columns[]": true }).shape,
  "key[]": optional(
    z.array(z.string()).max(MOST_KEY_COLUMNS).meta({ uniqueItems: true }),
    "Columns that identify a row in both files. Left out: the primary key of the file's dictionary, or the first columns that are filled and unique in both, one before pairs; where there are none, rows pair as wholes in order.",
    ["station", "day"],
  ),
  "change[]": optional(
    z.array(z.enum(CHANGE_NAMES)).meta({ uniqueItems: true }),
    "The kinds of changes to send. Left out: all.",
    ["changed"],
  ),
});

/** The query of all.csv and all.ndjson of a comparison. */
export const DiffExportParameters = DiffParameters.extend({
  limit: optional(z.int().min(1), "Most changes to send; all where it is left out.", 1_000),
});

const file = z.strictObject({ asset_id: Ulid, content_sha256: sha256AsRead, row_count: count });
const row = z.record(z.string(), Cell);
const place = {
  key: z.array(Cell).nullable(),
  base_row: count.nullable().describe("Null for an added row; the header of a CSV is row 1."),
  head_row: count.nullable().describe("Null for a removed row."),
};

const change = z.union([
  z.strictObject({ change: z.enum(["added", "removed"]), ...place, row }),
  z.strictObject({
    change: z.enum(["changed", "columns"]).describe("columns: only a column of one file differs."),
    ...place,
    cells: z
      .record(z.string(), z.array(Cell).length(2))
      .describe("Before and after, of the columns that differ; null where a file has no such column."),
  }),
  z.strictObject({ change: z.literal("moved"), ...place }),
]);

/** GET /media/{asset}/diff. */
export const FileDiff = rowsOf(
  z.strictObject({
    base: file,
    head: file,
    key: z
      .array(z.string())
      .nullable()
      .describe("The columns by which rows were paired; null where they were paired as wholes."),
    columns: z.strictObject({
      added: z.array(z.string()),
      removed: z.array(z.string()),
      same: z.array(z.string()).describe("Columns of both, in the order of the head."),
      types: z
        .array(z.strictObject({ name: z.string(), base: z.string(), head: z.string() }))
        .describe("Columns whose kind of value is another now."),
      reordered: z.boolean(),
    }),
    summary: z.strictObject({
      added: count,
      removed: count,
      changed: count,
      moved: count,
      same: count.describe("Rows that differ in nothing but a column of one file count as the same."),
      cells: count.describe("Changed cells of columns that both files have."),
      by_column: z.array(z.strictObject({ name: z.string(), changed: count })),
    }),
    rows: z.array(change).describe("By row of the head, a removed row where it stood."),
    returned: count,
    matched: count.describe("Changes of the asked kinds."),
    next_offset: count.nullable().describe("Null on the last part."),
  }),
);
