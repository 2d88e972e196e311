import { currentArtworks, findOpenArtwork, saveRecipes } from "../../../sql/datasets/artworks.ts";
import { httpError, notFound } from "../../ground/errors.ts";
import type { Deps } from "../../platform/deps.ts";
import { ArtworkRecipe } from "../../text/artwork/design.ts";
import { drawMotifFile } from "../../text/artwork/draw-artwork.ts";
import type { Artwork } from "./artwork-recipes.ts";
import type { RenderContext } from "./render-body.ts";

export type ArtFormat = "svg" | "png";

const RETRY_SECONDS = 10;

/** Stores the recipes of artworks, so that their hashes can be requested. */
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

/** The recipe of an artwork that readers may see now; throws `not_found`. */
export async function findArtwork(deps: Deps, hash: string): Promise<ArtworkRecipe> {
  const row = /^[0-9a-f]{64}$/.test(hash) ? await findOpenArtwork(deps.pool, hash) : null;
  if (row === null) throw notFound("artwork");
  return ArtworkRecipe.parse(row.recipe);
}

/** Draws an artwork for its reader: nothing of it is kept. Throws 503 where that takes too long. */
export async function drawArtwork(
  { deps, threads }: RenderContext,
  recipe: ArtworkRecipe,
  format: ArtFormat,
): Promise<string | Uint8Array> {
  // Drawn in a millisecond; a card's layout and every PNG take a thread.
  if (recipe.kind !== "card" && format === "svg") return drawMotifFile(recipe);
  const picture = await threads.paint({ recipe, asPng: format === "png" });
  deps.metrics.drawings.inc({ kind: recipe.kind, outcome: picture === null ? "failed" : "drawn" });
  if (picture === null) throw httpError(503, "The picture took too long to draw. Try again.", RETRY_SECONDS);
  return picture;
}
