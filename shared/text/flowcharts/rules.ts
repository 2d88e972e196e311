import { TYPE_SIZES_PX } from "../theme/tokens.ts";

// A drawing may shrink to its column until its smallest text, 13 px, is 11 px; then it scrolls.
const SHRINK = 11 / TYPE_SIZES_PX.tiny;
const STEP_PX = 40;
const LEAST_PX = 280;
const MOST_PX = 1400;

// The column beside the facts of a story has 704; the next step would scroll there.
const COLUMN_PX = 700;
// The column of a phone 360 px wide has 328.
const PHONE_PX = 320;

/** Whether a drawing of a width can be read on a phone without scrolling. */
export function fitsPhone(width: number): boolean {
  return findLeastWidth(width) <= PHONE_PX;
}

function findLeastWidth(width: number): number {
  const least = width * SHRINK;
  const stepped = Math.ceil(least / STEP_PX) * STEP_PX;
  return least <= COLUMN_PX ? Math.min(stepped, COLUMN_PX) : stepped;
}

/** The class that holds a drawing of a width at the least width at which its text can be read. */
export function leastWidthClass(width: number): string {
  const least = findLeastWidth(width);
  if (least <= LEAST_PX) return "w-any";
  return least > MOST_PX ? "w-full" : `w-${Math.min(least, MOST_PX)}`;
}

function listWidths(): string {
  const rules = [`.w-${COLUMN_PX}{min-width:${COLUMN_PX}px}`];
  for (let width = LEAST_PX + STEP_PX; width <= MOST_PX; width += STEP_PX) {
    rules.push(`.w-${width}{min-width:${width}px}`);
  }
  return rules.join("\n");
}

/** The rules of the page's one stylesheet for flowcharts; they use its colours, fonts and measures. */
export const FLOWCHART_RULES = `
.flowchart { margin: var(--s5) 0 }
.flowchart .frame { max-width: 100%; overflow-x: auto; background: var(--edges) }
.flowchart svg { display: block; direction: ltr; max-width: 100%; height: auto; margin-inline: auto; overflow: visible }
.flowchart svg.w-full { max-width: none }
.flowchart .narrow { display: none; padding: 0 }
@media screen and (max-width:36rem) {
.flowchart .wide { display: none }
.flowchart .narrow { display: block }
}
${listWidths()}
.flowchart .lines { stroke: var(--soft) }
.flowchart .heads { fill: var(--soft) }
.flowchart .lines .thick { stroke: var(--ink) }
.flowchart .heads .thick { fill: var(--ink) }
.flowchart .shapes { fill: var(--wash); stroke: var(--ink) }
.flowchart .decision { fill: var(--paper); stroke: var(--mark); stroke-width: 2 }
.flowchart :is(.texts,.labels) { fill: var(--ink) }
.flowchart figcaption { margin-top: var(--s2) }
.flowchart details { margin-top: var(--s2); font: var(--t-small)/1.5 var(--sans) }
.flowchart summary { color: var(--soft); cursor: pointer }
.flowchart ol { margin-top: var(--s2); padding-inline-start: var(--s5) }
`;
