import { FRAME_PADDING_PX } from "../charts/chart-frame.ts";
import { BASE_RULES } from "./sheet/base.ts";
import { CONSOLE_RULES, NARROW_RULES } from "./sheet/console.ts";
import { FRONT_RULES } from "./sheet/front.ts";
import { TABLE_RULES } from "./sheet/table.ts";
import { TEXT_RULES } from "./sheet/text.ts";
import { ACCENTS, COLORS, FONTS, LINES_PX, SPACES_PX, TYPE_SIZES_PX, WIDTHS_PX } from "./tokens.ts";
import { listTypefaces } from "./typefaces.ts";

/** Artwork: covers, avatars. */
const ART_RULES = `
.cover { display: block; width: 100%; height: auto; aspect-ratio: 4; max-height: 15rem; object-fit: cover; background: var(--wash) }
main>.cover { margin-top: var(--s4) }
.avatar { width: 3rem; height: 3rem; background: var(--wash) }
.plate .avatar { position: relative; display: block; width: 6.5rem; height: 6.5rem; margin: 0 auto var(--s3); border: var(--s1) solid var(--paper); background: var(--paper) }
.plate .cover { max-height: 8rem; object-position: 50% 20% }
.plate .cover+.avatar { margin-top: -3.75rem }
.by:has(>.avatar) { display: flex; gap: var(--s3) }
.by>.avatar { flex: none }
.card .cover { margin-bottom: var(--s3) }
.people li:has(>.avatar) { display: grid; grid-template-columns: 3rem minmax(0,1fr); gap: 0 var(--s3); align-content: start }
.people li>.avatar { grid-row: 1/4; margin-top: .2rem }
@media (max-width:40rem) { .cover { aspect-ratio: 3 } }
`;

/**
 * Shade at an edge beyond which something goes on; a cover that moves with it hides the shade where there is no more. What
 * stands on other ground than paper names its own.
 */
const EDGE_RULES = `
.sheet,.table-scroll,.frame,pre { --edges: ${listEdges()} }
`;

function listEdges(): string {
  const cover = (side: string, place: string): string =>
    `linear-gradient(to ${side},var(--ground,var(--paper)) 40%,transparent) ${place}/3rem 100% no-repeat local`;
  const shade = (side: string, place: string): string =>
    `linear-gradient(to ${side},var(--shade,var(--rule)),transparent) ${place}/1.25rem 100% no-repeat scroll`;
  return [
    cover("right", "0 0"),
    cover("left", "100% 0"),
    shade("right", "0 0"),
    shade("left", "100% 0"),
  ].join(",");
}

/** On paper: no navigation and no forms, addresses after links, nothing cut and nothing folded away. */
const PRINT_RULES = `
@page { margin: 18mm }
html { font-size: 75% }
body { max-width: none; padding: 0; font-size: 1.25rem; line-height: 1.5 }
.site nav,.site+.notice,.skip,form,.after,.colophon ul,.elsewhere { display: none }
.colophon { margin-top: var(--s6); padding-bottom: 0; break-before: avoid }
.work { display: block }
.work>aside { margin-top: var(--s6); max-width: none }
.work>aside dl { display: grid; grid-template-columns: 1fr 1fr; gap: 0 var(--s6) }
.prose a[href^=http]::after { content: " (" attr(href) ")"; font-size: .8em; word-break: break-all }
.sheet,.outline,.prose pre,.table-scroll,.chart details .table-scroll,.flowchart .frame { max-height: none; overflow: visible; background: none }
.prose pre { white-space: pre-wrap }
.sheet table { width: auto }
table { font-size: .9375rem }
.stats table { font-size: .75rem }
details::details-content { content-visibility: visible; display: block }
summary { list-style: none }
th,td { padding-inline-end: .7rem; overflow-wrap: anywhere }
.sheet { --gap: .7rem }
.stats { --gap: .4rem }
.stats :is(th,td) { position: static; overflow-wrap: break-word }
thead th { position: static }
.flowchart svg { max-height: 15cm }
h1,h2,h3,h4 { break-after: avoid }
figure svg,figcaption,tr,.card,.facts div,.rows>li,.list>li { break-inside: avoid }
figcaption { break-before: avoid }
`;

/** The search form: one line on a wide page, one column on a narrow one. */
const SEARCH_RULES = `
.search { margin: var(--s6) auto 0; max-width: 46rem }
.search div { display: flex; flex-wrap: wrap; gap: var(--s2) }
.search input:not([type=checkbox]) { flex: 1 1 14rem; width: auto; max-width: none; min-width: 0 }
select { flex: 1 1 auto; max-width: 100% }
.ask { display: flex; flex-wrap: wrap; gap: var(--s3) var(--s5); max-width: none; margin: var(--s4) 0 0 }
.ask.search input { flex: 1 1 7rem; width: 100% }
.ask>:is(select,button) { align-self: end }
.ask fieldset { flex: 1 1 14rem }
.ask fieldset:has(div) { flex-grow: 3 }
.ask select { flex: none }
.ask div+div { margin-top: var(--s2) }
.ask .fault { flex: 0 0 100%; margin: 0 0 var(--s2) }
fieldset { min-width: 0; margin: 0; padding: 0; border: 0 }
legend { margin-bottom: var(--s1); padding: 0; font-weight: 600 }
.fault { color: var(--accent); font-weight: 600 }
.chips li:not(:last-child) a { padding: .15rem .6rem; border: 1px solid var(--soft); text-decoration: none }
.chips { font: var(--t-small)/1.6 var(--sans) }
.facets ul { font: var(--t-small)/1.6 var(--sans); list-style: none }
.facets h3 { font: 600 var(--t-small)/1.6 var(--sans) }
.facets li li { display: flex; align-items: baseline; justify-content: space-between; padding: 0; border: 0 }
.use { max-width: none; margin-top: var(--s5); font-size: var(--t-text) }
.whole dd { white-space: pre-wrap }
.whole + .go { margin-top: var(--s3) }
`;

/** A chart alone, and the page that stands for one that is gone. */
const FRAME_RULES = `
body { max-width: none; padding: ${FRAME_PADDING_PX}px; font: var(--t-small)/1.5 var(--sans) }
main { max-width: var(--w-measure); margin: 0 auto }
.notice { margin: 0; padding: var(--s2) 0 }
.notice+.notice { border-top: 0 }
.notice+h1+div,.by { margin-top: var(--s3) }
h1:not(.hush) { font-size: var(--t-text) }
@media print { :root { color-scheme: light } }
`;

/**
 * Builds the one stylesheet of public pages and console from the tokens, without comments or idle space; `drawingRules`
 * are those of drawings, which stand between the tables and the console.
 */
export function buildStylesheet(drawingRules: readonly string[]): string {
  const sheet = [
    listTypefaces(),
    listTokens(),
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

/** Builds the stylesheet of a chart that other sites frame: without the text face, which is half of what such a page may weigh. */
export function buildFrameStylesheet(chartRules: string): string {
  return squeeze([listTokens(), BASE_RULES, chartRules, FRAME_RULES].join("\n"));
}

/** The rules of the console alone, which public pages do not load. */
export function buildConsoleStylesheet(): string {
  return squeeze(CONSOLE_RULES);
}

function listTokens(): string {
  return [
    `:root{color-scheme:light dark;${listScheme("light")}${listMeasures()}}`,
    listAccents("light"),
    // On screens alone, so that paper is light without saying every colour again.
    `@media screen and (prefers-color-scheme:dark){:root{${listScheme("dark")}}${listAccents("dark")}}`,
  ].join("\n");
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
