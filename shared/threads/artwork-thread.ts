import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Resvg } from "@resvg/resvg-js";
import { drawAvatar, drawCover } from "../core/draw/artwork/draw-artwork.ts";
import { type CardFonts, drawCard } from "../core/draw/artwork/draw-card.ts";
import { readCoverage } from "../core/draw/artwork/read-coverage.ts";
import type { PaintTask, Pictures, ThreadAnswer } from "./tasks.ts";

const SCRIPTS = ["latin", "latin-ext", "greek", "cyrillic", "cyrillic-ext", "vietnamese"] as const;
const WEIGHTS = [400, 700] as const;

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

/** The fonts of cards as npm installed them, with the characters for which both weights have a glyph. */
export function openCardFonts(): CardFonts {
  const fonts = SCRIPTS.flatMap((name) =>
    WEIGHTS.map((weight) => ({ name, weight, data: readFont(name, weight) })),
  );
  const [regular, bold] = WEIGHTS.map(
    (weight) =>
      new Set(fonts.filter((font) => font.weight === weight).flatMap(({ data }) => [...readCoverage(data)])),
  );
  return { fonts, covered: new Set([...(regular ?? [])].filter((code) => bold?.has(code))) };
}

function readFont(script: string, weight: number): Uint8Array {
  const name = `@fontsource/source-serif-4/files/source-serif-4-${script}-${weight}-normal.woff`;
  return readFileSync(fileURLToPath(import.meta.resolve(name)));
}
