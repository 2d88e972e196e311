import { z } from "zod";
import { SaidDisclosure } from "../../shared/text/disclosure/describe-disclosure.ts";
import { type Db, type Fragment, sql, texts } from "../connection/pool.ts";
import { AsRead, asRead, FormatColumn } from "../datasets/canonical-files.ts";
import { CreationType } from "../works/creations.ts";
import { fileIsOpen, fromRevisionFiles } from "./open-to-readers.ts";

const OpenFileRow = z.strictObject({
  asset_id: z.string(),
  format: FormatColumn,
  filename: z.string(),
  bytes: z.number(),
  content_sha256: z.string(),
  ...AsRead,
  dialect: z.string().nullable(),
  listed: z.boolean(),
  creation_ids: z.array(z.string()),
});
export type OpenFileRow = z.infer<typeof OpenFileRow>;

const DisclosedFileRow = OpenFileRow.extend({
  /** How the works that hold it were made, each as its newest revision with the file says; every statement once. */
  statements: z.array(
    z.strictObject({
      type: CreationType,
      disclosure: SaidDisclosure.nullable(),
      owner_reviewed: z.boolean(),
    }),
  ),
  revision_number: z.number(),
  /** The listed work whose live revision has it no more; null where a live revision has it. */
  replaced_in: z.string().nullable(),
});
export type DisclosedFileRow = z.infer<typeof DisclosedFileRow>;

/**
 * A file that readers may fetch now: a published revision of an open creation uses it, and neither content
 * nor bytes were removed. `creation_ids` are the open creations whose live revision has it; where only earlier revisions
 * have it, the open creations of those. `revision_number` is the live one that has it, else the newest published one: of
 * a listed work where there is one, and of the one that was published first.
 */
export async function findOpenFile(db: Db, assetId: string): Promise<DisclosedFileRow | null> {
  return await db.maybeOne(sql.type(DisclosedFileRow)`
    SELECT s.id AS asset_id, s.format, s.filename, s.bytes, s.content_sha256,
      ${asRead}, s.dialect::text AS dialect, bool_or(w.listed) AS listed, jsonb_agg(DISTINCT w.statement) AS statements,
      coalesce(array_agg(w.id) FILTER (WHERE w.is_live), array_agg(w.id)) AS creation_ids,
      (array_agg(w.number ORDER BY w.listed DESC, w.is_live DESC, w.since, w.id))[1] AS revision_number,
      CASE WHEN NOT bool_or(w.is_live) THEN
        (array_agg(w.id ORDER BY w.since, w.id) FILTER (WHERE w.listed))[1] END AS replaced_in
    FROM assets s JOIN LATERAL (
      SELECT DISTINCT ON (c.id) c.id, r.id = c.live_revision_id AS is_live, c.visibility = 'public' AS listed,
        r.revision_number AS number, c.first_published_at AS since,
        jsonb_build_object('type', c.type, 'disclosure', r.disclosure,
          'owner_reviewed', r.owner_reviewed_at IS NOT NULL) AS statement
      ${fromRevisionFiles}
      WHERE f.asset_id = s.id AND ${fileIsOpen}
      ORDER BY c.id, r.revision_number DESC) w ON true
    WHERE s.id = ${assetId} AND s.file_deleted_at IS NULL
    GROUP BY s.id`);
}

/** Those of these files that readers may fetch now from a creation's published revisions. */
export async function listOpenFilesOf(db: Db, creationId: string, assetIds: readonly string[]) {
  return await db.anyFirst(sql.type(z.strictObject({ asset_id: z.string() }))`
    SELECT DISTINCT open.asset_id FROM (${openFilesOf(creationId, sql.fragment`ANY(${texts(assetIds)})`)}) AS open`);
}

/** The files that readers may fetch now from a creation's published revisions, among some, as part of a statement. */
export function openFilesOf(creationId: string, assetIds: Fragment) {
  return sql.fragment`
    SELECT f.asset_id ${fromRevisionFiles} JOIN assets s ON s.id = f.asset_id
    WHERE f.asset_id = ${assetIds} AND r.creation_id = ${creationId} AND s.file_deleted_at IS NULL AND ${fileIsOpen}`;
}

const PageOfFileRow = z.strictObject({ handle: z.string(), slug: z.string(), listed: z.boolean() });

/** The pages of open creations that publish a file, the oldest first; as many as a Link header may name. */
export async function listPagesOfFile(db: Db, assetId: string) {
  return await db.any(sql.type(PageOfFileRow)`
    SELECT a.handle, c.slug, c.visibility = 'public' AS listed ${fromRevisionFiles}
    WHERE f.asset_id = ${assetId} AND ${fileIsOpen}
    GROUP BY c.id, a.handle ORDER BY c.visibility = 'public' DESC, c.created_at, c.id LIMIT 10`);
}
