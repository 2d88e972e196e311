import { z } from "zod";
import { address, count, dataOf, sha256Hex, Timestamp, Ulid } from "./members.ts";
import { saidDisclosure } from "./relations.ts";

const side = z.strictObject({
  revision_number: z.int().min(1),
  checksum: sha256Hex,
  published_at: Timestamp.nullable().describe("Null for a draft."),
});

const file = z.strictObject({
  asset_id: Ulid,
  content_sha256: sha256Hex,
  bytes: count,
  row_count: count.nullable().describe("Null for a file that is no table."),
});

const operation = z.union([
  z.strictObject({ op: z.enum(["add", "replace"]), path: z.string(), value: z.unknown() }),
  z.strictObject({ op: z.literal("remove"), path: z.string() }),
]);

const rows = z.strictObject({
  key: z.array(z.string()).nullable(),
  added: count,
  removed: count,
  changed: count,
  cells: count,
  columns_added: z.array(z.string()),
  columns_removed: z.array(z.string()),
  by_column: z.array(z.strictObject({ name: z.string(), changed: count })),
});

/** What changed between two revisions. */
export const RevisionDiff = dataOf(
  z.strictObject({
    from: side,
    to: side,
    same: z.boolean().describe("Whether both have one checksum."),
    body: z
      .strictObject({
        patch: z.string().describe("A unified diff of body_markdown; empty for equal texts."),
        lines_added: count,
        lines_removed: count,
      })
      .nullable()
      .describe("Null for types without a text."),
    payload_patch: z
      .array(operation)
      .describe("A JSON Patch (RFC 6902) of the payload without body_markdown."),
    files: z.array(
      z.strictObject({
        label: z.string(),
        change: z.enum(["added", "removed", "changed", "renamed", "same"]),
        from: file.nullable(),
        to: file.nullable(),
        rows: rows
          .nullable()
          .describe("Null while it is not computed, for texts, and where it took too long."),
        diff_url: address
          .nullable()
          .describe("Where two tables that differ are compared; null once readers cannot fetch either file."),
      }),
    ),
    disclosure: z
      .strictObject({ from: saidDisclosure.nullable(), to: saidDisclosure.nullable() })
      .nullable()
      .describe("What its agent says of how each was made, null for nothing; null where both say the same."),
  }),
);
