import { z } from "zod";
import { sql, Timestamp } from "../connection/pool.ts";
import { CreationType } from "../works/creations.ts";
import { creationIsListed, creationIsOpen, languageColumn } from "./open-to-readers.ts";

export const RelatedRow = z.strictObject({
  id: z.string(),
  type: CreationType,
  slug: z.string(),
  title: z.string(),
  language: z.string().nullable(),
  handle: z.string(),
  display_name: z.string(),
  retracted: z.boolean(),
});
/** A listed creation that another one points at, or that points at it. */
export type RelatedRow = z.infer<typeof RelatedRow>;

/** What a statement joins to a creation `c` for the columns of a related one. */
export const relatedFrom = sql.fragment`
  JOIN creation_revisions r ON r.id = c.live_revision_id
  JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
  JOIN profile_revisions p ON p.id = a.live_profile_id`;
/** The columns of a related creation. */
export const relatedColumns = sql.fragment`
  c.id, c.type, c.slug, r.title, ${languageColumn}, a.handle, p.profile ->> 'display_name' AS display_name,
  c.retracted_at IS NOT NULL AS retracted`;

/** The listed creations that a collection's revision contains, in its order. */
export function listedEntriesOf(revisionId: string) {
  return sql.type(RelatedRow)`
    SELECT ${relatedColumns}
    FROM revision_entries e JOIN creations c ON c.id = e.entry_id ${relatedFrom}
    WHERE e.revision_id = ${revisionId} AND ${creationIsListed} ORDER BY e.position`;
}

/** The listed collections whose live revision contains a creation, */
export function listedCollectionsWith(creationId: string) {
  return sql.type(RelatedRow)`
    SELECT ${relatedColumns}
    FROM revision_entries e JOIN creations c ON c.live_revision_id = e.revision_id ${relatedFrom}
    WHERE e.entry_id = ${creationId} AND ${creationIsListed}
    ORDER BY c.updated_at DESC, c.id DESC LIMIT 100`;
}

export const RelationRow = RelatedRow.extend({
  relation: z.string(),
  note: z.string().nullable(),
  pinned_number: z.number().nullable(),
  pinned_checksum: z.string().nullable(),
  is_pinned_removed: z.boolean(),
  /** Null for a target that nobody can open, as an owner reads the draft of one. */
  live_number: z.number().nullable(),
  live_published_at: Timestamp.nullable(),
  changed_since: z.boolean().nullable(),
});
/** A creation that another one refers to, or that refers to it, with the state of the target that the reference names. */
export type RelationRow = z.infer<typeof RelationRow>;

/** The target `t` of a reference `f`: its live revision `v`, and the pinned one `h` where there is one. */
const pinFrom = sql.fragment`
  JOIN creations t ON t.id = f.target_id LEFT JOIN creation_revisions v ON v.id = t.live_revision_id
  LEFT JOIN creation_revisions h ON h.creation_id = f.target_id AND h.revision_number = f.pinned_number`;
const pinColumns = sql.fragment`
  f.relation, f.note, h.revision_number AS pinned_number, h.checksum AS pinned_checksum,
  h.content_removed_at IS NOT NULL AS is_pinned_removed, v.revision_number AS live_number, v.published_at AS live_published_at,
  CASE WHEN h.id IS NOT NULL AND v.id IS NOT NULL THEN v.checksum <> h.checksum AND EXISTS (
    SELECT 1 FROM creation_revisions u
    WHERE u.creation_id = f.target_id AND u.state = 'published' AND NOT u.minor
      AND u.revision_number > h.revision_number) END AS changed_since`;

/** The creations that a revision refers to, in its order: listed ones, or all that readers can open. */
export function referencesOf(revisionId: string, which: "listed" | "open") {
  const condition = which === "listed" ? creationIsListed : creationIsOpen;
  return sql.type(RelationRow)`
    SELECT ${relatedColumns}, ${pinColumns}
    FROM revision_references f ${pinFrom} JOIN creations c ON c.id = f.target_id ${relatedFrom}
    WHERE f.revision_id = ${revisionId} AND ${condition} ORDER BY f.position`;
}

/** Listed creations whose live revision refers to this one, newest update first, at most a hundred. */
export function citationsOf(creationId: string) {
  return sql.type(RelationRow)`
    SELECT ${relatedColumns}, ${pinColumns}
    FROM revision_references f ${pinFrom} JOIN creations c ON c.live_revision_id = f.revision_id ${relatedFrom}
    WHERE f.target_id = ${creationId} AND ${creationIsListed}
    ORDER BY c.updated_at DESC, c.id DESC, f.position LIMIT 100`;
}
