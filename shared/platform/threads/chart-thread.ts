import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Resvg } from "@resvg/resvg-js";
import { drawChartFile } from "../../text/charts/draw-chart-file.ts";
import { readChart } from "../../text/drawing/draw-block.ts";
import { type FontFamilies, setTexts } from "../../text/drawing/set-texts.ts";
import { buildFont } from "../../text/drawing/woff.ts";
import { openBundledFonts } from "./bundled-fonts.ts";
import type { ChartFileTask, ThreadAnswer } from "./tasks.ts";

/** Wide enough for slides and for screens with two pixels a point. */
export const PNG_WIDTH_PX = 1_600;

/** Draws the file of a chart inside a thread; null for a block that is not read any more. */
export function drawFileOfChart({
  block,
  credit,
  asPng,
}: ChartFileTask): ThreadAnswer<string | Uint8Array | null> {
  const chart = readChart(block);
  if (chart === null) return { found: true, result: null };
  const svg = drawChartFile(chart, credit);
  return { found: true, result: asPng ? renderPng(svg) : svg };
}

/** The PNG of a chart's SVG, set in the fonts of this service whatever the machine has. */
export function renderPng(svg: string): Uint8Array {
  const { svg: set, families } = setTexts(svg, listFamilies());
  const { folder, fontFiles } = writeFonts(families);
  try {
    const font = { loadSystemFonts: false, fontFiles };
    const picture = new Resvg(set, { fitTo: { mode: "width", value: PNG_WIDTH_PX }, font, logLevel: "off" });
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
