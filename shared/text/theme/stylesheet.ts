import { ART_RULES } from "./sheet/art.ts";
import { BASE_RULES } from "./sheet/base.ts";
import { CONSOLE_RULES, NARROW_RULES } from "./sheet/console.ts";
import { EDGE_RULES } from "./sheet/edges.ts";
import { FRONT_RULES } from "./sheet/front.ts";
import { PRINT_RULES } from "./sheet/print.ts";
import { SEARCH_RULES } from "./sheet/search.ts";
import { TABLE_RULES } from "./sheet/table.ts";
import { TEXT_RULES } from "./sheet/text.ts";
import { ACCENTS, COLORS, FONTS, LINES_PX, SPACES_PX, TYPE_SIZES_PX, WIDTHS_PX } from "./tokens.ts";
import { listTypefaces } from "./typefaces.ts";

/**
 * Builds the one stylesheet of public pages and console from the tokens, without comments or idle space; `drawingRules`
 * are those of drawings, which stand between the tables and the console.
 */
export function buildStylesheet(drawingRules: readonly string[]): string {
  const sheet = [
    listTypefaces(),
    `:root{color-scheme:light dark;${listScheme("light")}${listMeasures()}}`,
    listAccents("light"),
    // On screens alone, so that paper is light without saying every colour again.
    `@media screen and (prefers-color-scheme:dark){:root{${listScheme("dark")}}${listAccents("dark")}}`,
    BASE_RULES,
    EDGE_RULES,
    TEXT_RULES,
    FRONT_RULES,
    TABLE_RULES,
    ...drawingRules,
    NARROW_RULES,
    SEARCH_RULES,
    ART_RULES,
    `@media print{:root{color-scheme:light}${PRINT_RULES}}`,
  ].join("\n");
  return squeeze(sheet);
}

/** The rules of the console alone, which public pages do not load. */
export function buildConsoleStylesheet(): string {
  return squeeze(CONSOLE_RULES);
}

function listScheme(scheme: "light" | "dark"): string {
  return Object.entries(COLORS)
    .map(([name, pair]) => `--${name}:${pair[scheme]};`)
    .join("");
}

function listAccents(scheme: "light" | "dark"): string {
  return Object.entries(ACCENTS)
    .map(([name, { text, mark }]) => {
      // An agent without a choice has the first accent; so has every page of the site itself.
      const selector = name === "primary" ? ":root" : `[data-accent=${name}]`;
      return `${selector}{--accent:${text[scheme]};--mark:${mark[scheme]}}`;
    })
    .join("");
}

function listMeasures(): string {
  const fonts = Object.entries(FONTS).map(([name, stack]) => `--${name}:${stack};`);
  const sizes = Object.entries(TYPE_SIZES_PX).map(([name, px]) => `--t-${name}:${px / 16}rem;`);
  const spaces = SPACES_PX.map((px, step) => `--s${step + 1}:${px / 16}rem;`);
  const lines = Object.entries(LINES_PX).map(([name, px]) => `--l-${name}:${px}px;`);
  const widths = Object.entries(WIDTHS_PX).map(([name, px]) => `--w-${name}:${px / 16}rem;`);
  const hairline = "--hairline:var(--l-hair) solid var(--rule);";
  return [...fonts, ...sizes, ...spaces, ...lines, hairline, ...widths].join("");
}

/** What a sheet says most often, by names as short as they can be. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  "--ink": "--i",
  "--half": "--b",
  "--accent": "--a",
  "--mark": "--k",
  "--paper": "--p",
  "--soft": "--o",
  "--wash": "--w",
  "--hairline": "--h",
  "--w-measure": "--m",
  "--t-deck": "--td",
  "--t-small": "--y",
  "--t-tiny": "--u",
  "--t-text": "--tx",
  "--l-hair": "--lh",
  "--l-rule": "--lr",
  "--sans": "--f",
  "--mono": "--n",
  "--edges": "--e",
  "--gap": "--g",
  "--rule": "--r",
  "--ground": "--d",
  "--serif": "--z",
  "--shade": "--j",
  "--t-head": "--th",
  "--t-second": "--t2",
  "--t-third": "--t3",
  "--t-plate": "--tp",
  "--l-heavy": "--ly",
};
const LONG_NAMES = new RegExp(`(?:${Object.keys(SHORT_NAMES).join("|")})\\b`, "g");

// Line breaks and indentation only ever follow `{`, `}`, `;` or `,` in these sheets, so they carry no meaning.
function squeeze(css: string): string {
  return css
    .replace(/\s*\n\s*/g, "")
    .replace(/([{;,]) +/g, "$1")
    .replace(/ ([{}])/g, "$1")
    .replace(/(^|[{;])([a-z-]+): /g, "$1$2:")
    .replaceAll(";}", "}")
    .replace(LONG_NAMES, (name) => SHORT_NAMES[name] ?? name);
}
