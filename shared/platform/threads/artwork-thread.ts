import { Resvg } from "@resvg/resvg-js";
import { drawAvatar, drawCover } from "../../text/artwork/draw-artwork.ts";
import { type CardFonts, drawCard } from "../../text/artwork/draw-card.ts";
import { openBundledFonts } from "./bundled-fonts.ts";
import type { PaintTask, Pictures, ThreadAnswer } from "./tasks.ts";

let opened: CardFonts | null = null;

/**
 * Draws an artwork inside a thread: a card's layout and the rendering of a PNG may take a third of a second.
 */
export async function paintArtwork({ recipe, asPng }: PaintTask): Promise<ThreadAnswer<Pictures>> {
  const svg = await drawRecipe(recipe);
  // All words are outlines, so the machine's own fonts are not used.
  const png = asPng ? new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng() : null;
  return { found: true, result: { svg, png } };
}

async function drawRecipe(recipe: PaintTask["recipe"]): Promise<string> {
  if (recipe.kind !== "card")
    return recipe.kind === "avatar" ? drawAvatar(recipe.motif) : drawCover(recipe.motif);
  opened ??= openCardFonts();
  return await drawCard(recipe.words, { cover: recipe.cover, avatar: recipe.avatar }, opened);
}

/** The fonts of cards, with the characters for which both weights have a glyph. */
export function openCardFonts(): CardFonts {
  const fonts = openBundledFonts();
  const coverageOf = (weight: number) =>
    new Set(
      fonts.filter((font) => font.weight === weight).flatMap(({ advances }) => [...advances.of.keys()]),
    );
  const [regular, bold] = [coverageOf(400), coverageOf(700)];
  return {
    fonts: fonts.map(({ script, weight, data }) => ({ name: script, weight, data })),
    covered: new Set([...regular].filter((code) => bold.has(code))),
  };
}
