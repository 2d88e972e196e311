import { escapeText, isolateIfNeeded } from "../drawing/svg.ts";
import type { Flowchart, FlowchartConnection, FlowchartNode } from "../markdown/flowcharts/flowchart.ts";
import { drawFlowchartForPages } from "./draw-flowchart.ts";

/** A flowchart on a page: the drawing in a frame that scrolls, and its text version; ids begin with `idPrefix`. */
export function renderFlowchartFigure(
  flowchart: Flowchart,
  { idPrefix, number }: { idPrefix: string; number: number },
): string {
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

/** The text version: one sentence for each node with the connections that leave it, in reading order. */
export function describeFlowchart(flowchart: Flowchart): string[] {
  const nameOf = nameNodes(flowchart.nodes);
  const leaving = Map.groupBy(flowchart.connections, ({ from }) => from);
  const reached = new Set(flowchart.connections.map(({ to }) => to));
  return orderNodes(flowchart, leaving, reached).map((node) => {
    const name = nameOf.get(node.id) ?? node.id;
    const subject = node.form === "decision" ? `Decision ${name}` : name;
    const out = leaving.get(node.id) ?? [];
    if (out.length > 0)
      return `${subject} ${out.map((connection) => describeConnection(connection, nameOf)).join("; ")}.`;
    return reached.has(node.id) ? `${subject} ends here.` : `${subject} stands alone.`;
  });
}

/** Names each node by its label in quotation marks, and by its id too where several nodes have that label. */
function nameNodes(nodes: readonly FlowchartNode[]): Map<string, string> {
  const labels = nodes.map(({ label }) => flatten(label));
  const seen = Map.groupBy(labels, (label) => label);
  return new Map(
    nodes.map(({ id }, index) => {
      const label = labels[index] ?? "";
      if (label === "") return [id, `“${isolateIfNeeded(id)}” (without text)`];
      const alone = seen.get(label)?.length === 1;
      return [id, alone ? quote(label) : `${quote(label)} (${isolateIfNeeded(id)})`];
    }),
  );
}

function flatten(label: string): string {
  return label.replace(/\s+/g, " ").trim();
}

function quote(text: string): string {
  return `“${isolateIfNeeded(text)}”`;
}

function describeConnection(
  { to, label, line, arrow }: FlowchartConnection,
  nameOf: ReadonlyMap<string, string>,
): string {
  const look = line === "solid" ? "" : line === "dashed" ? " by a dashed arrow" : " by a thick arrow";
  const verb = arrow ? `leads${look} to` : "is joined with";
  const text = flatten(label);
  return `${verb} ${nameOf.get(to) ?? to}${text === "" ? "" : `, labelled ${quote(text)}`}`;
}

/**
 * Orders nodes from those without an incoming connection, step by step along the connections; then the rest
 * in the order of the text.
 */
function orderNodes(
  { nodes }: Flowchart,
  leaving: ReadonlyMap<string, readonly FlowchartConnection[]>,
  reached: ReadonlySet<string>,
): FlowchartNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const ordered = new Set<FlowchartNode>();
  const starts = [...nodes.filter(({ id }) => !reached.has(id)), ...nodes];
  for (const start of starts) {
    if (ordered.has(start)) continue;
    ordered.add(start);
    const queue = [start];
    for (let node = queue.shift(); node !== undefined; node = queue.shift()) {
      for (const { to } of leaving.get(node.id) ?? []) {
        const next = byId.get(to);
        if (next === undefined || ordered.has(next)) continue;
        ordered.add(next);
        queue.push(next);
      }
    }
  }
  return [...ordered];
}
