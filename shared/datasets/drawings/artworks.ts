import {
  currentArtworks,
  findCreationToDraw,
  findOpenArtwork,
  listDrawnPictures,
  savePictures,
  saveRecipes,
} from "../../../sql/datasets/artworks.ts";
import { findOpenAgentById } from "../../../sql/reading/open-agents.ts";
import { listLiveAgents } from "../../../sql/works/profiles.ts";
import { httpError, notFound } from "../../ground/errors.ts";
import type { Deps } from "../../platform/deps.ts";
import { workOff } from "../../platform/pending-work/work-off.ts";
import type { Threads } from "../../platform/threads/open.ts";
import type { Pictures } from "../../platform/threads/tasks.ts";
import { readProfile } from "../../requests/profile.ts";
import { ArtworkRecipe } from "../../text/artwork/design.ts";
import {
  type Artist,
  type Artwork,
  avatarOf,
  cardOf,
  cardOfCreation,
  coverOf,
  coverOfCreation,
} from "./artwork-recipes.ts";

export type ArtFormat = "svg" | "png";

const RETRY_SECONDS = 10;

/**
 * Stores the recipes of artworks, so that their hashes can be requested; the first worker or reader draws
 * them.
 */
export async function keepArtworks(deps: Deps, artworks: readonly Artwork[]): Promise<void> {
  if (artworks.length === 0) return;
  const hashes = artworks.map(({ hash }) => hash);
  await keepMissing(deps, artworks, await deps.pool.anyFirst(currentArtworks(hashes)));
}

/** The same where it is known which of them are stored and current. */
export async function keepMissing(
  deps: Deps,
  artworks: readonly Artwork[],
  current: readonly string[],
): Promise<void> {
  const known = new Set(current);
  const missing = new Map(
    artworks.filter(({ hash }) => !known.has(hash)).map((artwork) => [artwork.hash, artwork]),
  );
  if (missing.size === 0) return;
  const rows = [...missing.values()].map(({ recipe, ...artwork }) => ({
    ...artwork,
    kind: recipe.kind,
    recipe: JSON.stringify(recipe),
  }));
  await saveRecipes(deps.pool, rows, deps.now());
}

/** The agents of a list whose front page is open, in no particular order. */
export async function listArtists(deps: Deps, ids: readonly string[]): Promise<Artist[]> {
  const rows = await listLiveAgents(deps.pool, ids);
  return rows.map(({ id, handle, ...profile }) => ({ agentId: id, handle, profile }));
}

/**
 * A picture that readers may see now, drawn if it is not drawn yet; throws `not_found`, or 503 on a timeout.
 */
export async function readArtwork(
  deps: Deps,
  threads: Threads,
  hash: string,
  format: ArtFormat,
): Promise<string | Uint8Array> {
  const row = /^[0-9a-f]{64}$/.test(hash) ? await findOpenArtwork(deps.pool, hash, format) : null;
  if (row === null) throw notFound("artwork");
  if (row.picture !== null) return row.picture;
  const recipe = ArtworkRecipe.parse(row.recipe);
  const pictures = await threads.paint({ recipe, asPng: format === "png" });
  const picture = (await keepPictures(deps, { hash, recipe }, pictures))?.[format];
  if (picture == null) throw httpError(503, "The picture took too long to draw. Try again.", RETRY_SECONDS);
  return picture;
}

/** Draws the artwork that a publication ordered, so that its first reader need not wait. */
export async function drawPendingArtwork(
  deps: Deps,
  threads: Threads,
  of: "creation" | "agent",
  id: string,
): Promise<void> {
  await workOff(deps, "draw-artwork", id, async (isGivenUp) => {
    // Artwork that no worker can draw is left to its first reader.
    if (!isGivenUp) await drawArtworkOf(deps, threads, of, id);
  });
}

/**
 * Draws the artwork of a creation or an agent as it is published now; running it twice or late changes
 * nothing.
 */
export async function drawArtworkOf(
  deps: Deps,
  threads: Threads,
  of: "creation" | "agent",
  id: string,
): Promise<void> {
  const artworks = await (of === "creation"
    ? listArtworksOfCreation(deps, id)
    : listArtworksOfAgent(deps, id));
  await keepArtworks(deps, artworks);
  const hashes = artworks.map(({ hash }) => hash);
  const drawn = new Map((await listDrawnPictures(deps.pool, hashes)).map((row) => [row.hash, row]));
  for (const { hash, recipe } of artworks) {
    const isCard = recipe.kind === "card";
    const row = drawn.get(hash);
    if (row?.svg && (row.png || !isCard)) continue;
    const pictures = await threads.drawPictures({ recipe, asPng: isCard });
    if ((await keepPictures(deps, { hash, recipe }, pictures)) === null) {
      throw new Error("artwork took too long to draw");
    }
  }
}

async function keepPictures(
  deps: Deps,
  { hash, recipe }: Pick<Artwork, "hash" | "recipe">,
  pictures: Pictures | null,
): Promise<Pictures | null> {
  deps.metrics.drawings.inc({ kind: recipe.kind, outcome: pictures === null ? "failed" : "drawn" });
  if (pictures !== null) await savePictures(deps.pool, hash, pictures);
  return pictures;
}

async function listArtworksOfCreation(deps: Deps, id: string): Promise<Artwork[]> {
  const creation = await findCreationToDraw(deps.pool, id);
  if (creation === null) return [];
  const { agent_id: agentId, handle, profile } = creation;
  const artist: Artist = { agentId, handle, profile: readProfile(profile) };
  return [coverOfCreation(artist, creation), cardOfCreation(artist, creation)];
}

async function listArtworksOfAgent(deps: Deps, id: string): Promise<Artwork[]> {
  const agent = await findOpenAgentById(deps.pool, id);
  if (agent === null) return [];
  const artist: Artist = { agentId: id, handle: agent.handle, profile: readProfile(agent.profile) };
  return [avatarOf(artist), coverOf(artist), cardOf(artist)];
}
