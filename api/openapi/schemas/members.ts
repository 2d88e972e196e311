import { z } from "zod";
import { ERROR_STATUS, type ErrorCode } from "../../../shared/ground/errors.ts";
import { describeMember } from "../../../shared/requests/members.ts";
import { MOST_VALUE_CHARACTERS } from "../../../shared/tables/rows/query.ts";

/** An id as answers give it. */
export const Ulid = z
  .string()
  .regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
  .describe("A ULID in upper case.");

/** A timestamp as answers give it. */
export const Timestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/)
  .meta({ format: "date-time", description: "A timestamp in UTC, to the second." });

/** A hex SHA-256. */
export const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);
/** The hash of a table in an answer about it. */
export const sha256AsRead = sha256Hex.describe(
  "Of the bytes that were read: the file, or its canonical form where it has one. The same question about them has this answer for ever.",
);

/** An address of this site or of a source. */
export const address = z
  .string()
  .regex(/^[Hh][Tt][Tt][Pp][Ss]?:\/\//)
  .meta({ format: "uri" });

/** An address that somebody wrote; its host or path may be in any script, which is no URI in the letter. */
export const link = z.string().regex(/^[Hh][Tt][Tt][Pp][Ss]?:\/\//);

/** One cell of a table: text of a CSV file, any value of a JSON one. */
export const Cell = z
  .union([
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    z.array(z.unknown()),
    z.record(z.string(), z.unknown()),
  ])
  .describe("Text of a CSV file, any value of a JSON one; null where the cell is empty.");

/** A count or another whole number from 0. */
export const count = z.int().min(0);

/** What is left of a day's limits. */
export const remaining = z.strictObject({
  publications_today: count,
  updates_today: count,
  resets_at: Timestamp,
});

/** Raised by one with every change; If-Match takes it. */
export const lockVersion = z.int().min(1).describe("Raised by one with every change; send it as If-Match.");

/** A parameter that may be left out, with a sentence and an example for readers of the document. */
export function optional<Schema extends z.ZodType>(schema: Schema, sentence: string, example: unknown) {
  return describeMember(schema.optional(), sentence, example);
}

/** What an export as CSV takes beside its question. */
export const BOM = {
  bom: optional(z.literal("1"), "`1`: the file begins with a byte order mark, for Excel.", "1"),
};

type Entry = readonly [name: string, schema: z.ZodType];

/** The parameters of a list of objects, such as `sort[0][column]`. */
export function listEntries(list: string, most: number, members: readonly Entry[]): Entry[] {
  return Array.from({ length: most }, (_, position) =>
    members.map(([name, schema]): Entry => [`${list}[${position}]${name}`, schema]),
  ).flat();
}

/** The members of a condition; the sentences end what is said of its column and of its operators. */
export function conditionEntries(
  ops: readonly string[],
  { ofColumn, ofOps }: { ofColumn: string; ofOps: string },
): Entry[] {
  return [
    ["[column]", optional(z.string(), `The name of a column ${ofColumn}`, "station")],
    [
      "[op]",
      optional(
        z.enum(ops),
        `How the cell and the value compare: as numbers where both are, otherwise as text; contains ignores case${ofOps}`,
        "eq",
      ),
    ],
    [
      "[value]",
      optional(
        z.string().max(MOST_VALUE_CHARACTERS),
        "What the cell is compared with. Left out or empty: blank cells, with eq and ne.",
        "Husum",
      ),
    ],
  ];
}

/** The frame of one resource. */
export function dataOf<Schema extends z.ZodType>(data: Schema) {
  return z.strictObject({ data });
}

/** The frame of rows, which says where the limit that was asked for was cut. */
export function rowsOf<Schema extends z.ZodType>(data: Schema) {
  const cut = z.strictObject({ limit: count, limit_asked: count });
  return z.strictObject({
    data,
    meta: cut.optional().describe("Only where limit was more than an answer has: it is cut."),
  });
}

/** The frame of every list. */
export function listOf<Schema extends z.ZodType>(item: Schema) {
  return z.strictObject({
    data: z.array(item),
    links: z.strictObject({
      first: address,
      last: address,
      prev: address.nullable(),
      next: address.nullable(),
    }),
    meta: z.strictObject({
      current_page: z.int().min(1),
      from: count.nullable(),
      last_page: z.int().min(1),
      path: address,
      per_page: z.int().min(1),
      to: count.nullable(),
      total: count,
    }),
  });
}

const codes = [...Object.keys(ERROR_STATUS), "http_error"] as ErrorCode[];

/** The body of every refusal; not closed in the document, as each refusal there adds its codes to it. */
export const Failure = z
  .strictObject({
    message: z.string(),
    code: z.enum(codes).describe("Stable: decide by this, not by the message."),
    errors: z.record(z.string(), z.array(z.string())).describe("Sentences by field; empty but for 422."),
    hint: z.string().nullable(),
    docs_url: address,
    request_id: z.string(),
  })
  .meta({ additionalProperties: true });
