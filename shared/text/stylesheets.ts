import { sha256 } from "../ground/checksum.ts";
import { BLEED_PX } from "./charts/frame.ts";
import { FLOWCHART_RULES } from "./flowcharts/rules.ts";
import { buildConsoleStylesheet, buildFrameStylesheet, buildStylesheet } from "./theme/stylesheet.ts";
import { CHART_PALETTE } from "./theme/tokens.ts";

function listColors(scheme: "light" | "dark"): string {
  return CHART_PALETTE.map(({ color }, index) => `.chart .g${index + 1}{color:${color[scheme]}}`).join("\n");
}

/** The rules of the page's one stylesheet for charts; they use its --paper, --soft, --rule and measures. */
export const CHART_RULES = `
.chart { display: flex; flex-direction: column }
.chart svg { display: block; direction: ltr; width: calc(100% + ${2 * BLEED_PX}px); max-width: calc(var(--w-measure) + ${2 * BLEED_PX}px); margin-inline: -${BLEED_PX}px; overflow: visible }
.chart .narrow { display: none; max-width: 26rem }
.chart :is(.soft,summary,figcaption) { color: var(--soft) }
.chart .grid { color: var(--rule) }
.chart .paper { color: var(--paper) }
.chart .hatch { display: none }
${listColors("light")}
.chart :is(figcaption,details,p) { font: var(--t-small)/1.5 var(--sans) }
.chart figcaption { margin-top: var(--s2); max-width: 40rem }
.chart :is(details,p) { order: 1; margin-top: var(--s1) }
.chart summary { cursor: pointer }
.chart details .table-scroll { max-height: 24rem; margin-top: var(--s2) }
@media (max-width:36rem) {
.chart .wide { display: none }
.chart .narrow { display: block }
}
@media print,(prefers-contrast:more),(forced-colors:active) {
.chart .hatch { display: inline }
}
@media screen and (prefers-color-scheme:dark) {
${listColors("dark")}
}
@media (forced-colors:active) {
.chart svg { forced-color-adjust: none }
.chart :is(svg,.soft,[class^=g]) { color: CanvasText }
.chart .paper { color: Canvas; stroke-opacity: 1 }
.chart .grid { opacity: .4 }
}
`;

/** A stylesheet and its address, which holds a hash of the text, so that a browser may cache it for ever. */
export interface Stylesheet {
  css: string;
  path: string;
}

/** The stylesheet of every page: the theme with the rules of charts and flowcharts. */
export const STYLESHEET = addressStylesheet("style", buildStylesheet([CHART_RULES, FLOWCHART_RULES]));

/** The further stylesheet of the console. */
export const CONSOLE_STYLESHEET = addressStylesheet("console", buildConsoleStylesheet());

/** The stylesheet of a chart that other sites frame. */
export const FRAME_STYLESHEET = addressStylesheet("chart", buildFrameStylesheet(CHART_RULES));

function addressStylesheet(name: string, css: string): Stylesheet {
  return { css, path: `/${name}-${sha256(css).slice(0, 12)}.css` };
}
