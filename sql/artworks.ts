import { z } from "zod";
import { CreationType } from "./creations.ts";
import { creationIsOpen, frontPageIsOpen } from "./open-to-readers.ts";
import { at, bytesOrNull, command, type Db, sql, type Tx, texts } from "./pool.ts";

const Recipe = z.record(z.string(), z.unknown());

/** What an artwork is of: a creation, or, without one, an agent. */
export interface ArtworkSubject {
  hash: string;
  kind: "avatar" | "cover" | "card";
  agentId: string;
  creationId: string | null;
}

/** Which of these artworks are kept and stand in nobody's shadow. */
export async function listCurrentArtworks(db: Db, hashes: readonly string[]): Promise<readonly string[]> {
  return await db.anyFirst(sql.type(z.strictObject({ hash: z.string() }))`
    SELECT hash FROM artworks WHERE hash = ANY(${texts(hashes)}) AND replaced_at IS NULL`);
}

/** Keeps the recipes of artworks that a page names; each stands in the place of others of its subject and kind. */
export async function saveRecipes(
  db: Db,
  artworks: readonly (ArtworkSubject & { recipe: string })[],
  nowMs: number,
): Promise<void> {
  const rows = artworks
    .map(({ hash, kind, agentId, creationId, recipe }) => [hash, kind, agentId, creationId, recipe])
    .sort(([one = ""], [other = ""]) => ((one ?? "") < (other ?? "") ? -1 : 1));
  const named = sql.fragment`${sql.unnest(rows, ["text", "text", "text", "text", "text"])}
    AS named (hash, kind, agent_id, creation_id, recipe)`;
  await db.query(command`
    INSERT INTO artworks (hash, kind, agent_id, creation_id, recipe, made_at)
    SELECT named.hash, named.kind, named.agent_id, named.creation_id, named.recipe::json, ${at(nowMs)}
    FROM ${named}
    ON CONFLICT (hash) DO UPDATE SET replaced_at = NULL`);
  // Rows are held in the order of their hashes, so that two readers of one page never wait for each other.
  await db.query(command`
    UPDATE artworks SET replaced_at = ${at(nowMs)} WHERE hash IN (
      SELECT k.hash FROM artworks k JOIN ${named} ON named.agent_id = k.agent_id AND named.kind = k.kind
        AND named.creation_id IS NOT DISTINCT FROM k.creation_id
      WHERE k.replaced_at IS NULL AND k.hash <> ALL(${texts(artworks.map(({ hash }) => hash))})
      ORDER BY k.hash FOR UPDATE OF k)`);
}

const ArtworkRow = z.strictObject({
  recipe: Recipe,
  svg: z.string().nullable(),
  png: z.instanceof(Uint8Array).nullable(),
});
export type ArtworkRow = z.infer<typeof ArtworkRow>;

/** An artwork that readers may see now, with the picture of one format where it is drawn. */
export async function findOpenArtwork(
  db: Db,
  hash: string,
  format: "svg" | "png",
): Promise<ArtworkRow | null> {
  return await db.maybeOne(sql.type(ArtworkRow)`
    SELECT k.recipe, CASE WHEN ${format} = 'svg' THEN k.svg END AS svg,
      CASE WHEN ${format} = 'png' THEN k.png END AS png
    FROM artworks k JOIN agents a ON a.id = k.agent_id JOIN owners o ON o.id = a.owner_id
      LEFT JOIN creations c ON c.id = k.creation_id
    WHERE k.hash = ${hash}
      AND ((k.creation_id IS NULL AND ${frontPageIsOpen}) OR (c.id IS NOT NULL AND ${creationIsOpen}))`);
}

/** Keeps the pictures of an artwork; what is drawn already stays, as it is the same. */
export async function savePictures(
  db: Db,
  hash: string,
  pictures: { svg: string; png: Uint8Array | null },
): Promise<void> {
  await db.query(command`
    UPDATE artworks SET svg = COALESCE(svg, ${pictures.svg}), png = COALESCE(png, ${bytesOrNull(pictures.png)})
    WHERE hash = ${hash}`);
}

/** Which pictures of these artworks are drawn. */
export async function listDrawnPictures(db: Db, hashes: readonly string[]) {
  return await db.any(sql.type(z.strictObject({ hash: z.string(), svg: z.boolean(), png: z.boolean() }))`
    SELECT hash, svg IS NOT NULL AS svg, png IS NOT NULL AS png FROM artworks
    WHERE hash = ANY(${texts(hashes)})`);
}

/** Removes all artwork of a creation: it goes with the page that showed it. */
export async function deleteArtworksOf(tx: Tx, creationId: string): Promise<void> {
  await tx.query(command`DELETE FROM artworks WHERE creation_id = ${creationId}`);
}

/** Removes artwork in whose place another has stood since before a moment; tells how many. */
export async function deleteReplacedArtworks(db: Db, beforeMs: number): Promise<number> {
  const { rowCount } = await db.query(command`
    DELETE FROM artworks WHERE replaced_at IS NOT NULL AND replaced_at <= ${at(beforeMs)}`);
  return rowCount;
}

const ArtistRow = z.strictObject({
  id: z.string(),
  handle: z.string(),
  display_name: z.string().nullable(),
  design: z.unknown(),
});

/** Agents whose front page readers may open, as far as their artwork tells of them. */
export async function listArtistRows(
  db: Db,
  ids: readonly string[],
): Promise<readonly z.infer<typeof ArtistRow>[]> {
  return await db.any(sql.type(ArtistRow)`
    SELECT a.id, a.handle, p.profile ->> 'display_name' AS display_name, p.profile -> 'design' AS design
    FROM agents a JOIN owners o ON o.id = a.owner_id JOIN profile_revisions p ON p.id = a.live_profile_id
    WHERE a.id = ANY(${texts(ids)}) AND ${frontPageIsOpen}`);
}

const CreationToDraw = z.strictObject({
  id: z.string(),
  agent_id: z.string(),
  handle: z.string(),
  profile: z.record(z.string(), z.unknown()),
  type: CreationType,
  title: z.string(),
  design: z.unknown(),
});

/** A creation that readers may open now, as far as its artwork tells of it. */
export async function findCreationToDraw(db: Db, id: string): Promise<z.infer<typeof CreationToDraw> | null> {
  return await db.maybeOne(sql.type(CreationToDraw)`
    SELECT c.id, c.agent_id, a.handle, p.profile, c.type, r.title, r.payload -> 'design' AS design
    FROM creations c JOIN creation_revisions r ON r.id = c.live_revision_id
      JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
      JOIN profile_revisions p ON p.id = a.live_profile_id
    WHERE c.id = ${id} AND ${creationIsOpen}`);
}
