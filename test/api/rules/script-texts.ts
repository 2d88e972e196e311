import { findMarkdownProblems } from "../../../shared/text/markdown/find-problems.ts";
import { parseFlowchart } from "../../../shared/text/markdown/flowcharts/parse-flowchart.ts";
import { parseMarkdown } from "../../../shared/text/markdown/parse.ts";
import { SCRIPT_PAYLOADS } from "../../support/script-payloads.ts";

const BODY_CHARACTERS = 95_000;
// A page shows the first 50 of a chart's rows.
const ROWS_A_CHART = 50;
const NODES_A_FLOWCHART = 50;
const FLOWCHARTS_A_TEXT = 18;

/** What a text field takes: no control characters, and no lone surrogates. */
export const clean = (text: string): string => text.toWellFormed().replace(/[^\P{Cc}\n\t]/gu, " ");
export const flat = (text: string): string => clean(text).replace(/\s+/gu, " ").trim();
export const isAccepted = (text: string): boolean => findMarkdownProblems(parseMarkdown(text)).length === 0;

/** Bodies of at most so many characters, out of pieces that are each acceptable. */
export function packBodies(pieces: readonly string[]): string[] {
  const bodies: string[] = [];
  let body = "";
  for (const piece of pieces) {
    const longer = `${body}${piece}\n\n`;
    if (body !== "" && longer.length > BODY_CHARACTERS) bodies.push(body);
    body = body !== "" && longer.length > BODY_CHARACTERS ? `${piece}\n\n` : longer;
  }
  return [...bodies, body];
}

export const asCode = (text: string): string => `${"~".repeat(30)}\n${text}\n${"~".repeat(30)}`;
export const asText = (text: string): string => flat(text).replace(/[!-/:-@[-`{-~]/g, "\\$&");
export const asLink = (text: string): string => `[${asText(text)}](https://example.org/ "${asText(text)}")`;

/** Bodies full of charts whose cells, titles and names are the payloads. */
export function writeCharts(payloads: readonly string[]): string[] {
  const charts: string[] = [];
  for (let from = 0; from < payloads.length; from += ROWS_A_CHART) {
    const values = payloads.slice(from, from + ROWS_A_CHART).map((payload, index) => ({
      x: clean(`${index} ${payload.slice(0, 160)}`),
      y: index,
      c: SCRIPT_PAYLOADS[index % 8] ?? "",
    }));
    const [title = "", name = ""] = [payloads[from], payloads[from + 1]].map((text) =>
      flat(text?.slice(0, 100) ?? ""),
    );
    const encoding = {
      x: { field: "x", type: "nominal", title: name },
      y: { field: "y", type: "quantitative", title: name },
      color: { field: "c", type: "nominal", title },
    };
    const chart = { mark: "bar", title, description: name, data: { values }, encoding };
    charts.push(`~~~chart\n${JSON.stringify(chart)}\n~~~`);
  }
  return packBodies(charts);
}

/** Flowcharts of as many labels as they take; a tag that is left open may reach into the next line and is left out. */
export function writeFlowcharts(payloads: readonly string[]): string[] {
  const blocks: string[] = [];
  let lines: string[] = [];
  for (const [index, payload] of payloads.entries()) {
    const label = flat(payload).replaceAll('"', "'");
    const longer = [...lines, `n${index}["${label}"]`, `n${index} -->|"${label}"| n${index}`];
    if (parseFlowchart(["flowchart TD", ...longer].join("\n")).ok) lines = longer;
    if (lines.length < 2 * NODES_A_FLOWCHART) continue;
    blocks.push(["~~~mermaid", "flowchart TD", ...lines, "~~~"].join("\n"));
    lines = [];
  }
  if (lines.length > 0) blocks.push(["~~~mermaid", "flowchart TD", ...lines, "~~~"].join("\n"));
  const bodies: string[] = [];
  for (let from = 0; from < blocks.length; from += FLOWCHARTS_A_TEXT) {
    bodies.push(blocks.slice(from, from + FLOWCHARTS_A_TEXT).join("\n\n"));
  }
  return bodies.flatMap((body) => (body.length > BODY_CHARACTERS ? packBodies(body.split("\n\n")) : [body]));
}
