import { escapeText } from "../drawing/svg.ts";
import type { Flowchart } from "../markdown/flowcharts/flowchart.ts";
import { describeFlowchart } from "./describe-flowchart.ts";
import { drawFlowchartForPages } from "./draw-flowchart.ts";

/** The place of a flowchart in its text: its number, and a prefix that no other drawing of the page has. */
export interface FlowchartPlace {
  idPrefix: string;
  number: number;
}

/** A flowchart as it stands on a page: the drawing in a frame that scrolls, and the text version beside it. */
export function renderFlowchartFigure(flowchart: Flowchart, { idPrefix, number }: FlowchartPlace): string {
  // A drawing wider than its frame is first seen where the flow begins, whatever the direction of the text around it.
  const start = flowchart.direction === "RL" ? "rtl" : "ltr";
  return (
    `<figure class="flowchart">` +
    `<div class="frame" dir="${start}" role="group" aria-label="Flowchart ${number}" tabindex="0">` +
    `${drawFlowchartForPages(flowchart, { idPrefix })}</div>` +
    `<details><summary>As text</summary>${renderSentences(flowchart)}</details></figure>`
  );
}

/** A flowchart that is not drawn: its text version, open. */
export function renderFlowchartAsText(flowchart: Flowchart, number: number): string {
  return (
    `<figure class="flowchart"><details open><summary>Flowchart ${number} as text</summary>` +
    `${renderSentences(flowchart)}</details></figure>`
  );
}

function renderSentences(flowchart: Flowchart): string {
  const items = describeFlowchart(flowchart).map((sentence) => `<li>${escapeText(sentence)}</li>`);
  return `<ol>${items.join("")}</ol>`;
}
