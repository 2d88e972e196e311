import {
  type Flowchart,
  type FlowchartConnection,
  type FlowchartNode,
  type FlowchartProblem,
  MAX_CONNECTIONS,
  MAX_NODES,
} from "./flowchart.ts";
import { type NamedConnection, readConnection } from "./read-connection.ts";
import { lineEnd, readHeader } from "./read-header.ts";
import { isRefusal, type Refusal, skipBlanks } from "./read-label.ts";
import { type NamedNode, readNode } from "./read-node.ts";
import { countLine, prepareText, refuseStatement, refuseTail, seeSubgraph } from "./refused-statements.ts";

/** A flowchart, or everything that keeps it from being drawn. */
type FlowchartVerdict = { ok: true; flowchart: Flowchart } | { ok: false; problems: FlowchartProblem[] };

/** An author fixes twenty problems before asking again; more would bury the first. */
const MAX_PROBLEMS = 20;

const SUBGRAPHS = "Subgraphs are not drawn. Remove this line and its end; connect the nodes directly.";
const BARE_END = 'A node cannot be named "end". Write End, or another id with the label: finish["end"].';

type Reading = ReturnType<typeof startReading>;

/** Reads a flowchart of the forms in the specification; gives every problem (20 at most) with its line from 1. */
export function parseFlowchart(source: string): FlowchartVerdict {
  const { text, problems } = prepareText(source);
  const { header, at, end } = readHeader(text);
  const reading = startReading(text, end);
  if (header.refusal !== null) reading.refusals.push({ at, refusal: header.refusal });
  if (header.readable) readStatements(reading, problems.length);
  if (header.readable) checkCounts(reading, at);
  const found = [...problems, ...reading.refusals.map((refusal) => locate(text, refusal))];
  if (header.direction === null || found.length > 0) {
    const problemsInOrder = found.toSorted((one, other) => one.line - other.line);
    return { ok: false, problems: problemsInOrder.slice(0, MAX_PROBLEMS) };
  }
  const { nodes, connections } = reading;
  return { ok: true, flowchart: { direction: header.direction, nodes: [...nodes.values()], connections } };
}

function startReading(text: string, at: number) {
  return {
    text,
    at,
    openSubgraphs: 0,
    nodes: new Map<string, FlowchartNode>(),
    connections: [] as FlowchartConnection[],
    /** Where the first node and the first connection too many stand; -1 for none. */
    extraNodeAt: -1,
    extraConnectionAt: -1,
    refusals: [] as Refusal[],
  };
}

function readStatements(reading: Reading, known: number): void {
  const { text } = reading;
  while (reading.refusals.length + known < MAX_PROBLEMS) {
    const start = skipSeparators(text, reading.at);
    if (start === text.length) return;
    const refusal = readStatement(reading, start);
    if (refusal === null) continue;
    if (refusal !== "skip") reading.refusals.push(refusal);
    reading.at = lineEnd(text, refusal === "skip" ? start : Math.max(start, refusal.at));
  }
}

/** Reads one statement and moves past it; "skip" leaves the rest of its line unread without a problem. */
function readStatement(reading: Reading, start: number): Refusal | "skip" | null {
  const subgraph = seeSubgraph(reading.text, start);
  if (subgraph === "opens") {
    reading.openSubgraphs += 1;
    return { at: start, refusal: SUBGRAPHS };
  }
  if (subgraph === "ends") {
    if (reading.openSubgraphs === 0) return { at: start, refusal: BARE_END };
    reading.openSubgraphs -= 1;
    return "skip";
  }
  const refusal = refuseStatement(reading.text, start);
  return refusal === null ? readChain(reading, start) : { at: start, refusal };
}

function readChain(reading: Reading, start: number): Refusal | null {
  const { text } = reading;
  const first = readNode(text, start);
  if (isRefusal(first)) return first;
  addNode(reading, first.value, start);
  let from = first.value.id;
  let end = first.end;
  for (;;) {
    const connection = readConnection(text, end);
    if (connection === null) break;
    if (isRefusal(connection)) return connection;
    const node = readNode(text, connection.end);
    if (isRefusal(node)) return node;
    addNode(reading, node.value, connection.end);
    addConnection(reading, from, node.value.id, connection.value, connection.end);
    from = node.value.id;
    end = node.end;
  }
  return endStatement(reading, end);
}

function endStatement(reading: Reading, end: number): Refusal | null {
  const { text } = reading;
  const at = skipBlanks(text, end);
  const next = text[at];
  if (next !== undefined && next !== "\n" && next !== ";") {
    return { at, refusal: refuseTail(text, at, at > end) };
  }
  reading.at = at;
  return null;
}

function addNode(reading: Reading, named: NamedNode, at: number): void {
  const node = reading.nodes.get(named.id);
  if (node === undefined) {
    const { id, label, form } = named;
    reading.nodes.set(id, { id, label: label ?? id, form: form ?? "box" });
    if (reading.nodes.size === MAX_NODES + 1) reading.extraNodeAt = at;
    return;
  }
  // The last label and form win, as they do in Mermaid.
  node.label = named.label ?? node.label;
  node.form = named.form ?? node.form;
}

function addConnection(
  reading: Reading,
  from: string,
  to: string,
  { label, line, arrow }: NamedConnection,
  at: number,
): void {
  reading.connections.push({ from, to, label, line, arrow });
  if (reading.connections.length === MAX_CONNECTIONS + 1) reading.extraConnectionAt = at;
}

function checkCounts(reading: Reading, headerAt: number): void {
  const { nodes, connections, extraNodeAt, extraConnectionAt, refusals } = reading;
  if (extraNodeAt !== -1) {
    const refusal = `The flowchart has ${nodes.size} nodes; ${MAX_NODES} is the most. The one too many is here: make two flowcharts.`;
    refusals.push({ at: extraNodeAt, refusal });
  }
  if (extraConnectionAt !== -1) {
    const refusal = `The flowchart has ${connections.length} connections; ${MAX_CONNECTIONS} is the most. The one too many is here: make two flowcharts.`;
    refusals.push({ at: extraConnectionAt, refusal });
  }
  if (nodes.size === 0 && refusals.length === 0) {
    refusals.push({
      at: headerAt,
      refusal: "The flowchart has no node. Write at least one, such as A[Start].",
    });
  }
}

function skipSeparators(text: string, from: number): number {
  let at = from;
  while (at < text.length && /[\s;]/.test(text.charAt(at))) at += 1;
  return at;
}

function locate(text: string, { at, refusal }: Refusal): FlowchartProblem {
  return { line: countLine(text, at), message: refusal };
}
