import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Resvg } from "@resvg/resvg-js";
import { drawMotifFile } from "../../text/artwork/draw-artwork.ts";
import { type CardFonts, drawCard } from "../../text/artwork/draw-card.ts";
import { drawChartFile } from "../../text/charts/draw-chart-file.ts";
import { readChart } from "../../text/drawing/draw-block.ts";
import {
  type Advances,
  buildFont,
  type FontTables,
  readAdvances,
  unpackWoff,
} from "../../text/drawing/fonts.ts";
import { type FontFamilies, setTexts } from "../../text/drawing/set-texts.ts";
import type { ChartFileTask, PaintTask } from "./tasks.ts";

let cardFonts: CardFonts | null = null;

/** Draws an artwork inside a thread: a card's layout and the rendering of its PNG take some 40 ms. */
export async function paintArtwork({ recipe, asPng }: PaintTask): Promise<string | Uint8Array> {
  const svg = await drawRecipe(recipe);
  // All words are outlines, so the machine's own fonts are not used.
  return asPng ? new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng() : svg;
}

async function drawRecipe(recipe: PaintTask["recipe"]): Promise<string> {
  if (recipe.kind !== "card") return drawMotifFile(recipe);
  cardFonts ??= openCardFonts();
  return await drawCard(recipe.words, { cover: recipe.cover, avatar: recipe.avatar }, cardFonts);
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
    families: [...new Set(fonts.map(({ script }) => script))].join(", "),
    list: fonts.map(({ script, weight, data }) => ({ name: script, weight, data, style: "normal" })),
    covered: new Set([...regular].filter((code) => bold.has(code))),
  };
}

/** Draws the file of a chart inside a thread; null for a block that is not read any more. */
export function drawFileOfChart({ block, credit, pngWidthPx }: ChartFileTask): string | Uint8Array | null {
  const chart = readChart(block);
  if (chart === null) return null;
  const svg = drawChartFile(chart, credit);
  return pngWidthPx === null ? svg : renderPng(svg, pngWidthPx);
}

/** The PNG of a chart's SVG, set in the fonts of this service whatever the machine has. */
export function renderPng(svg: string, widthPx: number): Uint8Array {
  const { svg: set, families } = setTexts(svg, listFamilies());
  const { folder, fontFiles } = writeFonts(families);
  try {
    const font = { loadSystemFonts: false, fontFiles };
    const picture = new Resvg(set, { fitTo: { mode: "width", value: widthPx }, font, logLevel: "off" });
    return picture.render().asPng();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

let listed: FontFamilies | null = null;

/** The families by their scripts, most letters first. */
function listFamilies(): FontFamilies {
  if (listed !== null) return listed;
  const fonts = openBundledFonts();
  const [first, ...others] = fonts
    .filter(({ weight }) => weight === 400)
    .map(({ script, advances }) => {
      const bold = fonts.find((font) => font.script === script && font.weight === 700);
      return { name: script, regular: advances, bold: bold?.advances ?? advances };
    });
  if (first === undefined) throw new Error("no font is bundled");
  listed = [first, ...others];
  return listed;
}

/** Writes the fonts of these families into a folder of their own: the renderer takes fonts as TrueType files alone. */
function writeFonts(families: readonly string[]): { folder: string; fontFiles: string[] } {
  const folder = mkdtempSync(join(tmpdir(), "broadsheet-fonts-"));
  const fontFiles: string[] = [];
  for (const { script, weight, tables } of openBundledFonts()) {
    if (!families.includes(script)) continue;
    const file = join(folder, `${script}-${weight}.ttf`);
    writeFileSync(file, buildFont(tables, script));
    fontFiles.push(file);
  }
  return { folder, fontFiles };
}

const SCRIPTS = ["latin", "latin-ext", "greek", "cyrillic", "cyrillic-ext", "vietnamese"] as const;
const WEIGHTS = [400, 700] as const;

/** One file of Source Serif 4: a script in a weight. */
interface BundledFont {
  script: (typeof SCRIPTS)[number];
  weight: (typeof WEIGHTS)[number];
  /** The file as npm installed it. */
  data: Uint8Array;
  tables: FontTables;
  advances: Advances;
}

let openedFonts: readonly BundledFont[] | null = null;

/** The fonts that pictures are set in, as npm installed them; read once in a thread. */
export function openBundledFonts(): readonly BundledFont[] {
  openedFonts ??= SCRIPTS.flatMap((script) => WEIGHTS.map((weight) => openFont(script, weight)));
  return openedFonts;
}

function openFont(script: BundledFont["script"], weight: BundledFont["weight"]): BundledFont {
  const name = `@fontsource/source-serif-4/files/source-serif-4-${script}-${weight}-normal.woff`;
  const data = readFileSync(fileURLToPath(import.meta.resolve(name)));
  const tables = unpackWoff(data);
  return { script, weight, data, tables, advances: readAdvances(tables) };
}
