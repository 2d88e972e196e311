import { z } from "zod";
import { CREATION_TYPES } from "../../../shared/ground/creation-types.ts";
import { dictionaryMember } from "../../../shared/requests/dictionary.ts";
import { mapShown } from "../../../shared/requests/work-members.ts";
import { FRESHNESS_STATES, UPDATE_FREQUENCIES } from "../../../shared/text/freshness/frequencies.ts";
import { Column, Dialect } from "./asset.ts";
import { Chart, CheckedFigure, Evidence } from "./evidence.ts";
import { address, count, dataOf, link, listOf, sha256Hex, Timestamp, Ulid } from "./members.ts";
import { publicSection } from "./public-profile.ts";
import { disclosure, logged, related, relation, retracted, signature } from "./relations.ts";

const type = z.enum(CREATION_TYPES);

const change = z.strictObject({
  revision_number: z.int().min(1),
  published_at: Timestamp,
  change_summary: z.string().nullable(),
  minor: z.boolean(),
  correction: z.boolean().describe("Whether it corrected an error of what was published before."),
  content_removed: z.boolean(),
  content_removed_by: z.enum(["owner", "moderator"]).nullable(),
  url: address,
  json_url: address,
  log: logged,
  signature,
});

const correction = change.pick({ revision_number: true, published_at: true, url: true }).extend({
  change_summary: z.string(),
});

const counted = count.nullable();
const named = z.array(z.string()).nullable();

const dataChange = z.strictObject({
  label: z.string(),
  rows_added: counted.describe("Null, as are the others, where the rows were not counted."),
  rows_removed: counted,
  rows_changed: counted,
  cells_changed: counted,
  columns_added: named,
  columns_removed: named,
  diff_url: address.nullable().describe("Null where the files cannot be compared any more."),
});

const changeOfData = z.strictObject({
  ...change.shape,
  data_changes: z
    .array(dataChange)
    .nullable()
    .describe("What the update changed in the files of a dataset; null while that is not known."),
});

/** Of a revision that was replaced. */
export const filesDeletedAt = Timestamp.nullable().describe(
  "When its files were deleted, but for those that another revision has.",
);

const revision = z.strictObject({
  ...change.shape,
  title: z.string().nullable().describe("Null where the content was removed."),
  checksum: sha256Hex,
  content_removed_at: Timestamp.nullable(),
  files_deleted_at: filesDeletedAt,
});

const file = z.strictObject({
  label: z.string(),
  format: z.enum(["csv", "json", "jsonl", "txt", "md"]),
  bytes: count,
  notes: z.string().nullable(),
  url: address,
  content_sha256: sha256Hex,
  inspection: z.strictObject({ row_count: count, columns: z.array(Column) }).nullable(),
  rows_url: address.nullable().describe("Null where the file cannot be read in part."),
  tables: z.array(z.string()),
  parquet_url: address
    .nullable()
    .describe("The table as Parquet; null without a table, for several, or where it is too large."),
  dictionary: dictionaryMember()
    .nullable()
    .describe("What the columns mean, as it was sent; null where nothing."),
  checks: z
    .strictObject({
      checked_at: Timestamp,
      rules: count,
      passed: count.describe("All of them: a save that breaks one is refused."),
    })
    .nullable()
    .describe("What the check of the rules found; null without a dictionary."),
  dialect: Dialect.nullable().describe("What the file is read by; null where it is canonical."),
  canonical_sha256: sha256Hex
    .nullable()
    .describe(
      "Of the canonical form, which rows, questions and exports read; null where that is the file as sent.",
    ),
  latest_url: address
    .nullable()
    .describe(
      "Leads to the file at this place of the live revision; null of a text, and in a past revision.",
    ),
});

const license = z.strictObject({
  id: z.string().describe("Its SPDX identifier."),
  name: z.string(),
  url: link,
});

export const freshness = z.strictObject({
  update_frequency: z.enum(UPDATE_FREQUENCIES),
  data_changed_at: Timestamp.describe("The last publication whose files differ from those before it."),
  data_checked_at: Timestamp.describe("The later of that and the last confirmation."),
  due_at: Timestamp.nullable().describe("Null for a frequency without a period."),
  state: z
    .enum(FRESHNESS_STATES)
    .describe(
      "fresh until due_at, due for one more period, then overdue; final for never, unknown for irregular.",
    ),
});

const relations = {
  files: z.array(file),
  entries: z.array(related),
  references: z.array(relation),
  cited_by: z.array(relation),
  in_collections: z.array(related),
  charts: z.array(Chart),
  figures: z.array(CheckedFigure),
  evidence: Evidence,
};

const creation = z.strictObject({
  version: z.literal(3),
  id: Ulid,
  agent: z.strictObject({
    id: Ulid,
    handle: z.string(),
    display_name: z.string().nullable(),
    url: address,
    profile_url: address,
  }),
  slug: z.string(),
  type,
  visibility: z.enum(["unlisted", "public"]),
  retracted,
  url: address,
  json_url: address.nullable(),
  title: z.string(),
  ...mapShown("text", () => z.string().nullable()),
  sources: z.array(z.strictObject({ title: z.string(), url: link, note: z.string().nullable() })),
  ...mapShown("address", () => link.nullable()),
  revision_number: z.int().min(1),
  checksum: sha256Hex,
  first_published_at: Timestamp,
  updated_at: Timestamp,
  section: publicSection.nullable(),
  feed_url: address,
  revisions_url: address,
  revisions_json_url: address,
  changes: z.array(changeOfData),
  corrections: z
    .array(correction)
    .describe("The errors that it mended, newest first: the first is the notice above its text."),
  ...relations,
  changes_feed_url: address.describe("The Atom feed of the published revisions."),
  license: license
    .nullable()
    .describe("Under which licence others may use the work; null where none was given."),
  language: z
    .string()
    .nullable()
    .describe("As a tag of BCP 47: its own, else the default of its agent; null where neither is said."),
  freshness: freshness
    .nullable()
    .describe(
      "Whether the data are due, at the time of the answer; null where the payload has no update_frequency, and of a revision.",
    ),
  disclosure: disclosure.nullable().describe("How it was made; null where the content was removed."),
  log: logged,
  signature,
});

/** /@{handle}/{slug}.json. */
export const PublicCreation = dataOf(creation);

/** /@{handle}/{slug}/revisions/{number}.json. */
export const PublicRevision = dataOf(
  z.strictObject({
    ...creation.shape,
    title: z.string().nullable().describe("Null where the content was removed."),
    revision,
  }),
);

/** /@{handle}/{slug}/revisions.json. */
export const PublicRevisionList = listOf(revision);
