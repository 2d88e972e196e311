import { CHART_PALETTE } from "../theme/tokens.ts";
import { BLEED_PX } from "./frame.ts";

function listColors(scheme: "light" | "dark"): string {
  return CHART_PALETTE.map(({ color }, index) => `.chart .g${index + 1}{color:${color[scheme]}}`).join("\n");
}

/** The rules of the page's one stylesheet for charts; they use its --paper, --soft, --rule and measures. */
export const CHART_RULES = `
.chart { display: flex; flex-direction: column }
.chart svg { display: block; direction: ltr; width: calc(100% + ${2 * BLEED_PX}px); max-width: calc(var(--w-measure) + ${2 * BLEED_PX}px); margin-inline: -${BLEED_PX}px; overflow: visible }
.chart .narrow { display: none; max-width: 26rem; padding: 0 }
.chart .soft { color: var(--soft) }
.chart .grid { color: var(--rule) }
.chart .paper { color: var(--paper) }
.chart .hatch { display: none }
${listColors("light")}
.chart figcaption { margin-top: var(--s2); max-width: 40rem; color: var(--soft); font: var(--t-small)/1.5 var(--sans) }
.chart :is(details,p) { order: 1; margin-top: var(--s1); font: var(--t-small)/1.5 var(--sans) }
.chart summary { color: var(--soft); cursor: pointer }
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
.chart svg { forced-color-adjust: none; color: CanvasText }
.chart :is(.soft,[class^=g]) { color: CanvasText }
.chart .paper { color: Canvas; stroke-opacity: 1 }
}
`;
