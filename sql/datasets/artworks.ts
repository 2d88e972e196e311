import { z } from "zod";
import { at, command, type Db, sql, type Tx, texts } from "../connection/pool.ts";
import { creationIsOpen, frontPageIsOpen } from "../reading/open-to-readers.ts";

const ArtworkRow = z.strictObject({ recipe: z.record(z.string(), z.unknown()) });

/**
 * The subject of an artwork: a creation; without one, an agent or one of its sections; without both, the
 * site.
 */
export interface ArtworkSubject {
  hash: string;
  kind: "avatar" | "cover" | "card";
  agentId: string | null;
  creationId: string | null;
  /** The page that it belongs to: "" for the creation's or agent's own. */
  place: string;
}

/** The hashes of these that are stored and not replaced. */
export function currentArtworks(hashes: readonly string[]) {
  return sql.type(z.strictObject({ hash: z.string() }))`
    SELECT hash FROM artworks WHERE hash = ANY(${texts(hashes)}) AND replaced_at IS NULL`;
}

/**
 * Stores the recipes of artworks that a page names; each replaces earlier ones of its subject and kind. The
 * site's own are few and are never replaced: processes of two versions would replace them in alternation. Nothing is
 * stored of what was erased: a recipe holds a title, and a process may have read it before.
 */
export async function saveRecipes(
  db: Db,
  artworks: readonly (ArtworkSubject & { recipe: string })[],
  nowMs: number,
): Promise<void> {
  const rows = artworks
    .map(({ hash, kind, agentId, creationId, place, recipe }) => [
      hash,
      kind,
      agentId,
      creationId,
      place,
      recipe,
    ])
    .sort(([one = ""], [other = ""]) => ((one ?? "") < (other ?? "") ? -1 : 1));
  const named = sql.fragment`${sql.unnest(rows, ["text", "text", "text", "text", "text", "text"])}
    AS named (hash, kind, agent_id, creation_id, place, recipe)`;
  // Readers of two designs keep each its own, and skip what the other one holds: none waits for another in a circle. An
  // erasure waits for these locks, or these for it. Agents come first, as they do in every write.
  await db.query(command`
    WITH standing_agents AS MATERIALIZED (
      SELECT a.id FROM agents a
      WHERE a.erased_at IS NULL AND a.id IN (SELECT agent_id FROM ${named} WHERE named.creation_id IS NULL)
      ORDER BY a.id FOR SHARE
    ), standing_creations AS MATERIALIZED (
      SELECT c.id FROM creations c
      WHERE c.erased_at IS NULL AND c.id IN (SELECT creation_id FROM ${named})
        AND (SELECT count(*) FROM standing_agents) >= 0
      ORDER BY c.id FOR SHARE
    ), kept AS (
      INSERT INTO artworks (hash, kind, agent_id, creation_id, place, recipe, made_at)
      SELECT named.hash, named.kind, named.agent_id, named.creation_id, named.place, named.recipe::json, ${at(nowMs)}
      FROM ${named}
      WHERE CASE WHEN named.creation_id IS NOT NULL THEN named.creation_id IN (SELECT id FROM standing_creations)
        ELSE named.agent_id IS NULL OR named.agent_id IN (SELECT id FROM standing_agents) END
      ON CONFLICT (hash) DO UPDATE SET replaced_at = NULL RETURNING hash
    )
    UPDATE artworks SET replaced_at = ${at(nowMs)} WHERE hash IN (
      SELECT k.hash FROM artworks k JOIN ${named} ON named.agent_id = k.agent_id AND named.kind = k.kind
        AND named.creation_id IS NOT DISTINCT FROM k.creation_id AND named.place = k.place
      WHERE (SELECT count(*) FROM kept) >= 0
        AND k.replaced_at IS NULL AND k.hash <> ALL(${texts(artworks.map(({ hash }) => hash))})
      ORDER BY k.hash FOR UPDATE OF k SKIP LOCKED)`);
}

const sectionIsListed = sql.fragment`EXISTS (
  SELECT FROM json_array_elements(p.profile -> 'sections') AS entry WHERE 'section/' || (entry ->> 'slug') = k.place)`;

/** The recipe of an artwork that readers may see now. */
export async function findOpenArtwork(db: Db, hash: string) {
  return await db.maybeOne(sql.type(ArtworkRow)`
    SELECT k.recipe
    FROM artworks k LEFT JOIN agents a ON a.id = k.agent_id LEFT JOIN owners o ON o.id = a.owner_id
      LEFT JOIN profile_revisions p ON p.id = a.live_profile_id LEFT JOIN creations c ON c.id = k.creation_id
    WHERE k.hash = ${hash} AND CASE
      WHEN k.creation_id IS NOT NULL THEN ${creationIsOpen}
      WHEN k.agent_id IS NOT NULL THEN ${frontPageIsOpen} AND (k.place = '' OR ${sectionIsListed})
      WHEN k.place LIKE '/topics/%' THEN EXISTS (
        SELECT FROM topics t WHERE t.enabled AND '/topics/' || t.slug = k.place)
      ELSE true END`);
}

/** Deletes all artwork of a creation. */
export async function deleteArtworksOf(tx: Tx, creationId: string): Promise<void> {
  await tx.query(command`DELETE FROM artworks WHERE creation_id = ${creationId}`);
}
