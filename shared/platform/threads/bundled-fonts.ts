import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Advances, readAdvances } from "../../text/drawing/read-advances.ts";
import { type FontTables, unpackWoff } from "../../text/drawing/woff.ts";

const SCRIPTS = ["latin", "latin-ext", "greek", "cyrillic", "cyrillic-ext", "vietnamese"] as const;
const WEIGHTS = [400, 700] as const;

/** One file of Source Serif 4: a script in a weight. */
export interface BundledFont {
  script: (typeof SCRIPTS)[number];
  weight: (typeof WEIGHTS)[number];
  /** The file as npm installed it. */
  data: Uint8Array;
  tables: FontTables;
  advances: Advances;
}

let opened: readonly BundledFont[] | null = null;

/** The fonts that pictures are set in, as npm installed them; read once in a thread. */
export function openBundledFonts(): readonly BundledFont[] {
  opened ??= SCRIPTS.flatMap((script) => WEIGHTS.map((weight) => openFont(script, weight)));
  return opened;
}

function openFont(script: BundledFont["script"], weight: BundledFont["weight"]): BundledFont {
  const name = `@fontsource/source-serif-4/files/source-serif-4-${script}-${weight}-normal.woff`;
  const data = readFileSync(fileURLToPath(import.meta.resolve(name)));
  const tables = unpackWoff(data);
  return { script, weight, data, tables, advances: readAdvances(tables) };
}
