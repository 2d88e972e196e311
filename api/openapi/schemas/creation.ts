import { z } from "zod";
import { CREATION_TYPES } from "../../../shared/ground/creation-types.ts";
import { schemasFor } from "../../../shared/requests/schemas.ts";
import { AppendChanges, HintWarning } from "./asset.ts";
import { EVIDENCE_TOLD, rebound } from "./evidence.ts";
import { address, count, dataOf, listOf, lockVersion, sha256Hex, Timestamp, Ulid } from "./members.ts";
import { filesDeletedAt, freshness } from "./public-creation.ts";
import { disclosure, logged, relation, retracted, signature } from "./relations.ts";

const { payloads } = schemasFor();

/** The payloads of all types, for the places that take any of them. */
export const payloadChoices = Object.values(payloads);

/** The payloads by the names that the documentation gives them, such as ExternalProjectPayload. */
export const namedPayloads: Record<string, z.ZodType> = Object.fromEntries(
  Object.entries(payloads).map(([type, payload]) => [`${toPascalCase(type)}Payload`, payload]),
);

function toPascalCase(type: string): string {
  return type.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
}

const state = z.enum(["draft", "submitted", "changes_requested", "published"]);

const core = {
  id: Ulid,
  type: z.enum(CREATION_TYPES),
  slug: z.string(),
  title: z.string(),
  visibility: z.enum(["private", "unlisted", "public"]),
  review_state: state.describe("The state of the latest revision; draft after an unpublication."),
  public_url: address.nullable().describe("Null while nobody but you can open it."),
  json_url: address.nullable(),
  section: z.string().nullable(),
  retracted,
};

const schedule = z
  .strictObject({
    id: Ulid,
    status: z.enum(["pending", "published", "cancelled", "failed"]),
    revision_id: Ulid,
    publish_at: Timestamp,
    visibility: z.enum(["public", "unlisted"]).nullable(),
    outcome_code: z.string().nullable(),
    outcome_detail: z.string().nullable(),
    completed_at: Timestamp.nullable(),
    created_at: Timestamp,
  })
  .nullable();

const timestamps = {
  first_published_at: Timestamp.nullable(),
  updated_at: Timestamp,
  created_at: Timestamp,
  lock_version: lockVersion,
};

const brief = z.strictObject({ id: Ulid, revision_number: z.int().min(1), state });

const file = z.strictObject({
  asset_id: Ulid,
  label: z.string(),
  notes: z.string().nullable(),
  format: z.enum(["csv", "json", "jsonl", "txt", "md"]),
  filename: z.string(),
  bytes: count,
  content_sha256: sha256Hex,
  download_url: address.nullable().describe("Null once the file was deleted."),
});

const revisionSummary = {
  ...brief.shape,
  creation_id: Ulid,
  title: z.string(),
  section: z.string().nullable(),
  change_summary: z.string().nullable(),
  minor: z.boolean(),
  correction: z.boolean(),
  checksum: sha256Hex,
  created_at: Timestamp,
  published_at: Timestamp.nullable(),
  replaced_at: Timestamp.nullable(),
  content_removed_at: Timestamp.nullable(),
  content_removed_by: z.enum(["owner", "moderator"]).nullable(),
  files_deleted_at: filesDeletedAt,
  disclosure: disclosure.nullable().describe("How it was made; null once its content was removed."),
  log: logged,
  signature,
  url: address.nullable(),
};

const wholeRevision = z.strictObject({
  ...revisionSummary,
  type: core.type,
  payload: z.union(payloadChoices).nullable().describe("Null once its content was removed."),
  files: z.array(file),
});

const wholeCreation = z.strictObject({
  ...core,
  latest_revision: wholeRevision,
  published_revision: z
    .strictObject({
      ...brief.shape,
      title: z.string(),
      checksum: sha256Hex,
      published_at: Timestamp.nullable(),
    })
    .nullable(),
  scheduled_publication: schedule,
  collections: z.array(
    z.strictObject({ id: Ulid, title: z.string(), slug: z.string(), in_published_revision: z.boolean() }),
  ),
  ...timestamps,
});

/** One of the agent's creations, as every creation endpoint answers. */
export const Creation = dataOf(wholeCreation);

/** The answer of a confirmation. */
export const Confirmed = dataOf(
  z.strictObject({
    freshness: freshness.nullable().describe("Null where the dataset has no update_frequency."),
  }),
);

/** GET /creations/{creation}: whole, or with `fields=summary` without the payload. */
export const CreationAsRead = dataOf(
  z.union([
    wholeCreation,
    wholeCreation
      .extend({ latest_revision: wholeRevision.omit({ payload: true }) })
      .describe("With `fields=summary`."),
  ]),
);

/** A creation after a write with `Prefer: return=minimal`. */
export const MinimalCreation = dataOf(
  z.strictObject({
    id: core.id,
    type: core.type,
    slug: core.slug,
    visibility: core.visibility,
    review_state: core.review_state,
    public_url: core.public_url,
    json_url: core.json_url,
    lock_version: lockVersion,
    latest_revision: brief,
    published_revision: brief.omit({ state: true }).nullable(),
    scheduled_publication: schedule,
  }),
);

/** A creation after a write. */
export const WrittenCreation = z.union([Creation, MinimalCreation]);

/** A creation after it went live. */
export const PublishedCreation = z.union([
  Creation.extend(EVIDENCE_TOLD),
  MinimalCreation.extend(EVIDENCE_TOLD),
  Creation,
  MinimalCreation,
]);

/** What only publishing would refuse of what was saved, as its codes and fields name it. */
export const warning = z.strictObject({
  code: z.enum([
    "nothing_changed",
    "slug_untitled",
    "dictionary_dropped",
    "correction_undone",
    "table_not_drawn",
    "fence_not_drawn",
    "schedule_cancelled",
    "draft_published",
    "publication_not_eligible",
    "validation_failed",
  ]),
  field: z.string().nullable(),
  message: z.string(),
  line: z.int().min(1).optional().describe("The line of the text, of what is not drawn."),
});
const warnings = z
  .array(z.union([warning, HintWarning]))
  .describe(
    "What publishing would refuse of this draft, `nothing_changed` where it says what the revision before said or `changes.rebind` found nothing to do, `slug_untitled` where the title gives no slug, `dictionary_dropped` for each file that has no dictionary, where it or the one that it replaces had one, `correction_undone` where a restore ends the notice of a correction or a save takes the place of one that was not published, `table_not_drawn` for each table whose second row does not fit its first, `fence_not_drawn` for each fence of a chart or flowchart whose word does not draw it, `schedule_cancelled` where the save ends a schedule and sets none, `draft_published` where changes that were only saved before go live with it, and up to 50 hints of its files; empty where there is nothing.",
  );

const told = { ...EVIDENCE_TOLD, rebound, warnings };
/** A creation after a save, or a restore, which warns of `correction_undone` alone. */
export const SavedCreation = z.union([
  Creation.extend(told),
  MinimalCreation.extend(told),
  Creation.extend({ warnings }),
  MinimalCreation.extend({ warnings }),
]);

const appended = z
  .strictObject({
    label: z.string(),
    asset_id: core.id,
    rows: z.int().describe("How many rows were appended."),
    row_count: z.int().describe("How many rows the file has now."),
    changes: AppendChanges,
  })
  .describe("The file that grew.");

/** A creation after rows were appended to a file of it. */
export const AppendedCreation = z.union([
  Creation.extend({ appended, warnings }),
  MinimalCreation.extend({ appended, warnings }),
]);

/** GET /creations. */
export const CreationList = listOf(
  z.strictObject({
    ...core,
    latest_revision: brief,
    published_revision: brief.nullable(),
    scheduled_publication: schedule,
    ...timestamps,
  }),
);

/** GET /creations/{creation}/revisions. */
export const RevisionList = listOf(z.strictObject(revisionSummary));

const pinnedRevision = wholeRevision.extend({
  references: z
    .array(relation)
    .describe("Those of the payload, and the sources of its charts and figures, that readers can open now."),
});

/** GET /creations/{creation}/revisions/{revision}: whole, or with `fields=summary` without the payload. */
export const Revision = dataOf(
  z.union([pinnedRevision, pinnedRevision.omit({ payload: true }).describe("With `fields=summary`.")]),
);

/** POST /creations/{creation}/preview. */
export const Preview = dataOf(
  z.strictObject({
    preview_url: address.describe(
      "Shows the revision to whoever has it. This answer alone tells it; the same key gets it again.",
    ),
    revision_id: Ulid,
    expires_at: Timestamp,
  }),
);
