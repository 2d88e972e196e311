import { z } from "zod";
import { HINT_CODES } from "../../../shared/tables/inspection/hints.ts";
import { address, Cell, count, dataOf, listOf, sha256Hex, Timestamp, Ulid } from "./members.ts";

/** A column as inspection found it. */
export const Column = z.strictObject({
  name: z.string(),
  type: z.enum(["number", "text", "date", "boolean", "blank", "mixed", "object", "array"]),
  blanks: count.describe("Cells that are empty, null or missing."),
});

const kind = z.enum(["object", "array", "text", "number", "boolean", "null"]);

/** The structure of a JSON document, in short. */
export const Outline = z.strictObject({
  name: z.string().optional(),
  type: kind,
  count: count.optional(),
  get members() {
    return z.array(Outline).optional();
  },
  item_types: z.array(kind).optional(),
  get first_item() {
    return Outline.optional();
  },
});

const inspection = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("table"),
    row_count: count,
    columns: z.array(Column),
    sample: z.array(z.array(Cell)).describe("The first rows; an empty cell is null."),
  }),
  z.strictObject({
    kind: z.literal("document"),
    outline: Outline,
    tables: z.array(z.string()).describe("Names of the record lists that the rows reader opens."),
  }),
]);

/** How a table of text is written, in the words of Data Package's Table Dialect; members that are as usual are left out. */
export const Dialect = z
  .strictObject({
    delimiter: z.string(),
    quoteChar: z.string().nullable().optional(),
    doubleQuote: z.boolean().optional(),
    escapeChar: z.string().optional(),
    lineTerminator: z.string().optional(),
    skipInitialSpace: z.boolean().optional(),
    header: z.boolean().optional(),
    headerRows: z.array(z.int().min(1)).optional(),
    commentChar: z.string().optional(),
    nullColumns: z.enum(["name", "refuse"]).optional(),
    encoding: z.string().optional(),
    decimalChar: z.string().optional(),
    groupChar: z.string().optional(),
    columns: z.array(z.string()).optional(),
    rows: z.tuple([z.int().min(1), z.int().min(1).nullable()]).optional(),
  })
  .describe("How a table of text is written, in the words of Table Dialect; what is as usual is left out.");

/** A way to read a table that is not canonical, and what comes of it. */
export const Plan = z.strictObject({
  dialect: Dialect.describe("Send the same bytes with it to accept the plan."),
  changes: z.array(z.string()).describe("What is read differently from what was sent."),
  left_out: z
    .array(z.strictObject({ row: z.int().min(1), text: z.string() }))
    .describe("The first 20 rows that are left out."),
  left_out_count: count,
  columns: z.array(z.strictObject({ name: z.string(), generated: z.boolean(), type: Column.shape.type })),
  row_count: count,
  sample: z.array(z.array(z.string().nullable())).describe("The first three rows."),
});

/** What an accepted file was told of itself. */
const Hint = z.strictObject({
  code: z.enum([...HINT_CODES, "note"]).describe("`note` is a text of before the codes."),
  message: z.string(),
  rows: z.array(z.int().min(1)).describe("Up to three rows where it is so; the header is row 1."),
  columns: z.array(z.string()).describe("Up to ten names of columns."),
  count: count.nullable().describe("In how many cells or rows; null where nothing is counted."),
});

/** A hint of an attached file. */
export const HintWarning = Hint.extend({
  field: z
    .string()
    .regex(/^payload\.attachments\.\d+$/)
    .describe("The attachment."),
});

/** What of appended rows is read differently from what was sent; present only where anything is. */
export const AppendChanges = z
  .array(z.string())
  .optional()
  .describe("What of the rows is read differently from what was sent; left out where nothing is.");

const asset = z.strictObject({
  id: Ulid,
  kind: z.enum(["dataset", "document"]),
  format: z.enum(["csv", "json", "jsonl", "txt", "md"]),
  filename: z.string(),
  bytes: count,
  content_sha256: sha256Hex,
  readiness: z.enum(["processing", "ready", "failed"]).describe("Poll while it is processing."),
  readiness_reason: z.string().nullable(),
  readiness_progress: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe(
      "How far the inspection has read: below 1 while it is processing, 1 when ready, null when failed.",
    ),
  inspection: inspection.nullable(),
  hints: z
    .array(Hint)
    .describe("What was accepted but is worth a look: up to 20, the gravest first, each code once."),
  download_url: address,
  attached: z.boolean(),
  expires_at: Timestamp.nullable().describe("Null once a revision uses it."),
  created_at: Timestamp,
  sent_bytes: count
    .nullable()
    .describe("The bytes that were sent of a file that came compressed; null of one that came as it is."),
  appended_to: z
    .strictObject({
      asset_id: Ulid,
      rows_added: count.nullable().describe("Null while the file is processing, and of one that failed."),
      changes: AppendChanges,
    })
    .nullable()
    .describe("The file whose bytes and rows this one begins with; null of a file that came whole."),
  dialect: Dialect.nullable().describe("What the file is read by; null where it is canonical."),
  piece_dialect: Dialect.nullable().describe(
    "What the rows that were appended were read by; null where they were canonical.",
  ),
  canonical_sha256: sha256Hex
    .nullable()
    .describe(
      "Of the canonical form, which rows, questions and exports read; null where that is the file as sent.",
    ),
  canonical_bytes: count.nullable(),
  plan: Plan.nullable().describe("How the file was read; of one that was refused, how it can be."),
  plans: z.array(Plan).optional().describe("Two readings of a refused file, the likely one first."),
});

/** An uploaded file: POST /assets and GET of it. */
export const Asset = dataOf(asset);

/** The uploaded files of an agent, without what their inspections found. */
export const AssetList = listOf(
  asset.pick({
    id: true,
    filename: true,
    kind: true,
    format: true,
    readiness: true,
    readiness_reason: true,
    bytes: true,
    content_sha256: true,
    attached: true,
    expires_at: true,
    created_at: true,
  }),
);

/** An uploaded file after an upload with `Prefer: return=minimal`. */
export const MinimalAsset = dataOf(
  asset.pick({ id: true, readiness: true, readiness_reason: true, content_sha256: true }),
);

/** An uploaded file after its upload. */
export const WrittenAsset = z.union([Asset, MinimalAsset]);

/** POST /uploads. */
export const Upload = dataOf(
  z.strictObject({
    upload_url: address.describe(
      "Takes one file, without a token. Whoever has it can upload to you: tell nobody else.",
    ),
    expires_at: Timestamp,
    curl: z.string().describe("The line to run in a shell, in the folder of the file."),
  }),
);
