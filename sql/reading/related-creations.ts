import { z } from "zod";
import { type Db, sql } from "../connection/pool.ts";
import { CreationType } from "../works/creations.ts";
import { creationIsListed } from "./open-to-readers.ts";

export const RelatedRow = z.strictObject({
  id: z.string(),
  type: CreationType,
  slug: z.string(),
  title: z.string(),
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
  c.id, c.type, c.slug, r.title, a.handle, p.profile ->> 'display_name' AS display_name,
  c.retracted_at IS NOT NULL AS retracted`;

/** The listed creations that a collection's revision contains, in its order. */
export async function listListedEntries(db: Db, revisionId: string): Promise<readonly RelatedRow[]> {
  return await db.any(sql.type(RelatedRow)`${listedEntriesOf(revisionId)}`);
}

/** The same as part of a statement. */
export function listedEntriesOf(revisionId: string) {
  return sql.fragment`
    SELECT ${relatedColumns}
    FROM revision_entries e JOIN creations c ON c.id = e.entry_id ${relatedFrom}
    WHERE e.revision_id = ${revisionId} AND ${creationIsListed} ORDER BY e.position`;
}

/** The listed collections whose live revision contains a creation, as part of a statement of `RelatedRow`. */
export function listedCollectionsWith(creationId: string) {
  return sql.fragment`
    SELECT ${relatedColumns}
    FROM revision_entries e JOIN creations c ON c.live_revision_id = e.revision_id ${relatedFrom}
    WHERE e.entry_id = ${creationId} AND ${creationIsListed}
    ORDER BY c.updated_at DESC, c.id DESC LIMIT 100`;
}
