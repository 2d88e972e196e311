import { z } from "zod";
import { describeMember } from "../../../shared/requests/members.ts";
import {
  AGGREGATE_OPS,
  DATE_PARTS,
  FACET_SIZE,
  MOST,
  MOST_FACET_SIZE,
  MOST_NAME_CHARACTERS,
  MOST_QUESTION_BYTES,
  MOST_SEARCH_CHARACTERS,
  ORDERS,
} from "../../../shared/tables/questions/question.ts";
import { MATCHES, QUERY_OPS } from "../../../shared/tables/rows/conditions.ts";
import {
  BOM,
  Cell,
  conditionEntries,
  count,
  listEntries,
  optional,
  rowsOf,
  sha256AsRead,
} from "./members.ts";
import { RowsParameters } from "./queries.ts";
import { LeftOut } from "./rows.ts";

function conditions(list: "filter" | "having", where: string) {
  return listEntries(list, MOST[list], [
    ...conditionEntries(QUERY_OPS, {
      ofColumn: `of ${where} that a condition looks at.`,
      ofOps: "; in takes several values.",
    }),
    [
      "[value][]",
      optional(
        z.array(z.string()).max(MOST.values),
        "The values of in; the parameter is repeated for each. An empty one stands for blank cells.",
        ["Husum", "Bremen"],
      ),
    ],
  ]);
}

const BLANKS = listEntries("blank", MOST.blank, [
  ["[column]", optional(z.string(), "A column in which the next texts count as blank cells.", "metres")],
  [
    "[value][]",
    optional(z.array(z.string()).max(MOST.blankValues), "The texts; repeated for each.", ["-999"]),
  ],
]);
const GROUPS = listEntries("group", MOST.group, [
  [
    "[column]",
    optional(z.string(), "A column by whose cells rows are grouped, as they are written.", "station"),
  ],
  ["[by]", optional(z.enum(DATE_PARTS), "Groups dates by a part of them.", "month")],
  ["[step]", optional(z.number().gt(0), "Groups numbers into bins of this width.", 10)],
]);
const AGGREGATES = listEntries("aggregate", MOST.aggregate, [
  ["[op]", optional(z.enum(AGGREGATE_OPS), "What is told of each group; sums are exact.", "sum")],
  ["[column]", optional(z.string(), "The column that it is told of; count needs none.", "metres")],
  [
    "[as]",
    optional(
      z.string().max(MOST_NAME_CHARACTERS),
      "The name of the column of the result. Left out: op_column.",
      "sum_metres",
    ),
  ],
]);
const SORT = listEntries("sort", MOST.sort, [
  [
    "[column]",
    optional(
      z.string(),
      "A column of the result, or without groups of the table; blank cells come last.",
      "metres",
    ),
  ],
  [
    "[order]",
    optional(z.enum(ORDERS), "The smallest first, or desc: the largest first. Left out: asc.", "desc"),
  ],
]);

const texts = (most: number) => z.array(z.string()).max(most).meta({ uniqueItems: true }).optional();

/** The query of GET /media/{asset}/query. */
export const QueryParameters = z.object({
  question: optional(
    z.string(),
    `The whole question as a JSON object with members of the same names, instead of all other parameters. The query has at most ${MOST_QUESTION_BYTES} bytes.`,
    '{"group":[{"column":"station"}]}',
  ),
  ...RowsParameters.pick({ table: true, offset: true, limit: true, "columns[]": true }).shape,
  match: optional(z.enum(MATCHES), "Whether all conditions must hold or any. Left out: all.", "any"),
  q: optional(
    z.string().max(MOST_SEARCH_CHARACTERS),
    "A text that a cell of the row contains, case ignored.",
    "husum",
  ),
  blank: optional(
    z.literal("none"),
    "`none`: cells are taken as written. Without any blank, what the dictionary of the file calls missing is blank.",
    "none",
  ),
  "blank[]": describeMember(texts(MOST.blank), "Texts that count as blank cells of any column.", [
    "NA",
    "-999",
  ]),
  "facet[]": describeMember(texts(MOST.facet), "Columns whose values are counted over the matching rows.", [
    "station",
  ]),
  facet_size: optional(
    z.int().min(1),
    `Values of each facet: ${FACET_SIZE} where it is left out; more than ${MOST_FACET_SIZE} is cut to ${MOST_FACET_SIZE}.`,
    20,
  ),
  ...Object.fromEntries([
    ...BLANKS,
    ...conditions("filter", "the table"),
    ...GROUPS,
    ...AGGREGATES,
    ...conditions("having", "the grouped result"),
    ...SORT,
  ]),
});

const { "facet[]": _facet, facet_size: _size, ...exported } = QueryParameters.shape;

/** The query of all.ndjson of a question. */
export const QueryExportParameters = z.object({
  ...exported,
  limit: optional(z.int().min(1), "Most rows to send; all where it is left out.", 1_000),
});

/** The query of all.csv of a question. */
export const QueryCsvParameters = QueryExportParameters.extend(BOM);

const facet = z.strictObject({
  column: z.string(),
  distinct: count.describe("Different values in the matching rows, as they are written."),
  blanks: count,
  values: z.array(z.strictObject({ value: Cell, count })).describe("The most frequent first."),
  others: count.describe("Matching rows behind the values that are not shown."),
});

/** GET /media/{asset}/query. */
export const QueryResult = rowsOf(
  z.strictObject({
    asset_id: z.string(),
    content_sha256: sha256AsRead,
    table: z
      .string()
      .nullable()
      .describe("The record list of a JSON document; null where the file is one table."),
    columns: z.array(z.string()),
    rows: z.array(z.array(Cell)).describe("Each a list in column order; a blank cell is null."),
    returned: count,
    matched: count.describe("Rows of the table that meet the conditions."),
    groups: count
      .nullable()
      .describe("Rows of the grouped result after having; null where nothing is grouped."),
    total: count.describe("Rows of the table."),
    next_offset: count.nullable().describe("Null on the last part."),
    facets: z.array(facet),
    question: z
      .record(z.string(), z.unknown())
      .describe("The question in its canonical form, without defaults: ask it again as `question`."),
    blank_from: z
      .enum(["dictionary", "question"])
      .nullable()
      .describe("Who says which texts count as blank in it; null where nobody does."),
    columns_left_out: LeftOut,
  }),
);
