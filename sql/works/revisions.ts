import { z } from "zod";
import { SaidDisclosure } from "../../shared/text/disclosure/describe-disclosure.ts";
import { at, command, type Db, sql, Timestamp, type Tx } from "../connection/pool.ts";
import { LogPlace, logPlaceColumn } from "../trust/logs.ts";
import { Signature, signatureColumns } from "../trust/signatures.ts";
import { RevisionState } from "./creations.ts";

export const RevisionRow = z.strictObject({
  id: z.string(),
  creation_id: z.string(),
  revision_number: z.number(),
  state: RevisionState,
  section: z.string().nullable(),
  title: z.string(),
  payload: z.record(z.string(), z.unknown()).nullable(),
  change_summary: z.string().nullable(),
  minor: z.boolean(),
  correction: z.boolean(),
  checksum: z.string(),
  created_at: Timestamp,
  published_at: Timestamp.nullable(),
  replaced_at: Timestamp.nullable(),
  content_removed_at: Timestamp.nullable(),
  content_removed_by: z.enum(["owner", "moderator"]).nullable(),
  files_deleted_at: Timestamp.nullable(),
  disclosure: SaidDisclosure.nullable(),
  owner_reviewed_at: Timestamp.nullable(),
  log_place: LogPlace,
  signature: Signature.nullable(),
  signature_counts: z.boolean(),
});

export type RevisionRow = z.infer<typeof RevisionRow>;

const headColumns = sql.fragment`
  r.id, r.creation_id, r.revision_number, r.state, r.section, r.title, r.change_summary, r.minor, r.correction,
  r.checksum, r.created_at, r.published_at, r.replaced_at, r.content_removed_at, r.content_removed_by,
  r.files_deleted_at, r.disclosure, r.owner_reviewed_at, ${logPlaceColumn}, ${signatureColumns}`;

/** All columns of a revision `r`. */
export const revisionColumns = sql.fragment`${headColumns}, r.payload`;

/** A draft to add, its payload as JSON text, exactly as checksummed. */
export type NewRevision = Pick<
  RevisionRow,
  | (
      | "id"
      | "creation_id"
      | "revision_number"
      | "section"
      | "title"
      | "change_summary"
      | "minor"
      | "correction"
    )
  | ("checksum" | "created_at" | "disclosure" | "signature")
> & {
  payload: string;
  /** The number of the revision that it restores, which is its parent. */
  restored_number?: number;
};

/** Adds a draft. */
export async function insertRevision(tx: Tx, revision: NewRevision): Promise<RevisionRow> {
  return await tx.one(sql.type(RevisionRow)`
    INSERT INTO creation_revisions AS r (id, creation_id, revision_number, state, section, title, payload,
      change_summary, minor, correction, checksum, disclosure, signature, created_at, restored_number)
    VALUES (${revision.id}, ${revision.creation_id}, ${revision.revision_number}, 'draft', ${revision.section},
      ${revision.title}, ${revision.payload}::json, ${revision.change_summary}, ${revision.minor},
      ${revision.correction}, ${revision.checksum}, ${revision.disclosure && JSON.stringify(revision.disclosure)}::json,
      ${revision.signature && JSON.stringify(revision.signature)}::jsonb,
      ${at(revision.created_at)}, ${revision.restored_number ?? null})
    RETURNING ${revisionColumns}`);
}

/** Notes when the owner of its agent confirmed to have read a revision. */
export async function setOwnerReviewed(tx: Tx, revisionId: string, nowMs: number): Promise<void> {
  await tx.query(command`
    UPDATE creation_revisions SET owner_reviewed_at = ${at(nowMs)} WHERE id = ${revisionId}`);
}

/** A revision by its id. */
export async function findRevisionById(db: Db, id: string): Promise<RevisionRow | null> {
  return await db.maybeOne(sql.type(RevisionRow)`
    SELECT ${revisionColumns} FROM creation_revisions r WHERE r.id = ${id}`);
}

/** A revision of this creation, by its ULID or its number. */
export async function findRevisionOf(db: Db, creationId: string, key: string | number) {
  const condition =
    typeof key === "number" ? sql.fragment`r.revision_number = ${key}` : sql.fragment`r.id = ${key}`;
  return await db.maybeOne(sql.type(RevisionRow)`
    SELECT ${revisionColumns} FROM creation_revisions r WHERE r.creation_id = ${creationId} AND ${condition}`);
}

/** Adds the references of a revision, in their order. */
export async function insertReferences(
  tx: Tx,
  revisionId: string,
  references: readonly {
    creation_id: string;
    relation: string;
    note: string | null;
    revision_number?: number | null;
  }[],
): Promise<void> {
  if (references.length === 0) return;
  const rows = references.map((reference, position) => [
    revisionId,
    position,
    reference.creation_id,
    reference.relation,
    reference.note,
    reference.revision_number ?? null,
  ]);
  await tx.query(command`
    INSERT INTO revision_references (revision_id, position, target_id, relation, note, asked_number)
    SELECT * FROM ${sql.unnest(rows, ["text", "int2", "text", "text", "text", "int4"])}`);
}

/** Adds the entries of a collection's revision, in their order. */
export async function insertEntries(tx: Tx, revisionId: string, entries: readonly string[]): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map((entry, position) => [revisionId, position, entry]);
  await tx.query(command`
    INSERT INTO revision_entries (revision_id, position, entry_id)
    SELECT * FROM ${sql.unnest(rows, ["text", "int2", "text"])}`);
}

const SummaryRow = RevisionRow.omit({ payload: true }).extend({ total: z.number() });

/** One page of a creation's revisions, newest first, without their payloads. */
export async function listRevisionsOf(db: Db, creationId: string, part: { limit: number; offset: number }) {
  return await db.any(sql.type(SummaryRow)`
    SELECT ${headColumns}, count(*) OVER () AS total
    FROM creation_revisions r WHERE r.creation_id = ${creationId}
    ORDER BY r.revision_number DESC LIMIT ${part.limit} OFFSET ${part.offset}`);
}

/** Gives a copy the references without their pins, and the entries, kept rows of charts, checked figures and files with their dictionaries of the revision that it copies. */
export async function copyRevisionLinks(tx: Tx, fromId: string, toId: string): Promise<void> {
  await tx.query(command`
    WITH copied_references AS (
      INSERT INTO revision_references (revision_id, position, target_id, relation, note, asked_number)
      SELECT ${toId}, position, target_id, relation, note, asked_number
      FROM revision_references WHERE revision_id = ${fromId}
    ), copied_entries AS (
      INSERT INTO revision_entries (revision_id, position, entry_id)
      SELECT ${toId}, position, entry_id FROM revision_entries WHERE revision_id = ${fromId}
    ), copied_charts AS (
      INSERT INTO revision_charts (revision_id, chart_number, creation_id, asset_id, content_sha256, question, rows,
        rows_sha256, row_count, rows_found, source_id, source_revision_number, says_blanks)
      SELECT ${toId}, chart_number, creation_id, asset_id, content_sha256, question, rows, rows_sha256, row_count,
        rows_found, source_id, source_revision_number, says_blanks
      FROM revision_charts WHERE revision_id = ${fromId}
    ), copied_figures AS (
      INSERT INTO revision_figures (revision_id, position, creation_id, asset_id, content_sha256, question, value,
        checked_at, source_id, source_revision_number, says_blanks)
      SELECT ${toId}, position, creation_id, asset_id, content_sha256, question, value, checked_at, source_id,
        source_revision_number, says_blanks
      FROM revision_figures WHERE revision_id = ${fromId}
    )
    INSERT INTO revision_files (revision_id, position, asset_id, label, notes, dictionary, checks, rules_sha256)
    SELECT ${toId}, position, asset_id, label, notes, dictionary, checks, rules_sha256
    FROM revision_files WHERE revision_id = ${fromId}`);
}

/**
 * Removes a revision's content, the labels of files, the kept rows of charts, the checked figures and what its data
 * changed, or a later revision changed in its data, included (the bytes of files are released before); number, times and
 * checksum stay.
 */
export async function removeRevisionContent(
  tx: Tx,
  id: string,
  removal: { by: "owner" | "moderator"; nowMs: number },
): Promise<void> {
  await tx.query(command`
    WITH unlinked_references AS (DELETE FROM revision_references WHERE revision_id = ${id}),
      unlinked_entries AS (DELETE FROM revision_entries WHERE revision_id = ${id}),
      unkept_charts AS (DELETE FROM revision_charts WHERE revision_id = ${id}),
      unkept_figures AS (DELETE FROM revision_figures WHERE revision_id = ${id}),
      uncounted AS (DELETE FROM revision_file_diffs d USING revision_comparisons p
        WHERE d.revision_id = p.revision_id AND (p.revision_id = ${id} OR p.base_id = ${id})),
      uncompared AS (DELETE FROM revision_comparisons WHERE revision_id = ${id} OR base_id = ${id}),
      unlinked_files AS (DELETE FROM revision_files WHERE revision_id = ${id})
    UPDATE creation_revisions SET payload = NULL, title = 'Content removed', change_summary = NULL, disclosure = NULL,
      owner_reviewed_at = NULL, signature = NULL,
      content_removed_at = ${at(removal.nowMs)}, content_removed_by = ${removal.by}
    WHERE id = ${id}`);
}
