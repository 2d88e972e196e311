import { TYPE_SIZES_PX } from "../../theme/tokens.ts";

// A drawing may shrink to its column until its smallest text, 13 px, is 11 px; then it scrolls.
const SHRINK = 11 / TYPE_SIZES_PX.tiny;
const STEP_PX = 40;
const LEAST_PX = 280;
const MOST_PX = 1400;

/** The class that holds a drawing of a width at the least width at which its text can be read. */
export function leastWidthClass(width: number): string {
  const least = Math.ceil((width * SHRINK) / STEP_PX) * STEP_PX;
  if (least <= LEAST_PX) return "w-any";
  return least > MOST_PX ? "w-full" : `w-${Math.min(least, MOST_PX)}`;
}

function listWidths(): string {
  const rules: string[] = [];
  for (let width = LEAST_PX + STEP_PX; width <= MOST_PX; width += STEP_PX) {
    rules.push(`.w-${width}{min-width:${width}px}`);
  }
  return rules.join("\n");
}

/** The rules of the page's one stylesheet for flowcharts; they use its colours, fonts and measures. */
export const FLOWCHART_RULES = `
.flowchart { margin: var(--s5) 0 }
.flowchart .frame { max-width: 100%; overflow-x: auto; background: var(--edges) }
.flowchart svg { display: block; max-width: 100%; height: auto; margin-inline: auto; overflow: visible }
.flowchart svg.w-full { max-width: none }
${listWidths()}
.flowchart .lines { stroke: var(--soft) }
.flowchart .heads { fill: var(--soft) }
.flowchart .lines .thick { stroke: var(--ink) }
.flowchart .heads .thick { fill: var(--ink) }
.flowchart .shapes { fill: var(--wash); stroke: var(--ink) }
.flowchart .decision { fill: var(--paper); stroke: var(--mark); stroke-width: 2 }
.flowchart .texts { fill: var(--ink) }
.flowchart .labels { fill: var(--ink) }
.flowchart figcaption { margin-top: var(--s2) }
.flowchart details { margin-top: var(--s2); font: var(--t-small)/1.5 var(--sans) }
.flowchart summary { color: var(--soft); cursor: pointer }
.flowchart ol { margin-top: var(--s2); padding-inline-start: var(--s5) }
`;
