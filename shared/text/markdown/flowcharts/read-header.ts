import type { FlowDirection } from "./flowchart.ts";
import { matchAt, quote, skipSpace } from "./read-label.ts";

const DIRECTIONS: Readonly<Record<string, FlowDirection>> = {
  TD: "TB",
  TB: "TB",
  BT: "BT",
  LR: "LR",
  RL: "RL",
};
const LISTED = "TD, TB, BT, LR or RL";

const WORD = /[^\s;]+/y;
const DIRECTION = /[^\S\n]*([^\s;]*)/y;
const LINE_END = /;|[^\S\n]*(?:\n|$)/y;

/** The first words of Mermaid's other diagrams, to refuse them by name. */
const OTHER_DIAGRAMS: Readonly<Record<string, string>> = {
  sequenceDiagram: "Sequence diagrams",
  classDiagram: "Class diagrams",
  "classDiagram-v2": "Class diagrams",
  stateDiagram: "State diagrams",
  "stateDiagram-v2": "State diagrams",
  erDiagram: "Entity diagrams",
  gantt: "Gantt charts",
  pie: "Pie charts",
  journey: "User journeys",
  gitGraph: "Git graphs",
  mindmap: "Mind maps",
  timeline: "Timelines",
  quadrantChart: "Quadrant charts",
  requirementDiagram: "Requirement diagrams",
  "sankey-beta": "Sankey diagrams",
  sankey: "Sankey diagrams",
  "xychart-beta": "XY charts",
  xychart: "XY charts",
  "block-beta": "Block diagrams",
  block: "Block diagrams",
  "packet-beta": "Packet diagrams",
  packet: "Packet diagrams",
  kanban: "Kanban boards",
  "architecture-beta": "Architecture diagrams",
  "radar-beta": "Radar charts",
  "treemap-beta": "Treemaps",
  C4Context: "C4 diagrams",
  C4Container: "C4 diagrams",
  C4Component: "C4 diagrams",
  C4Dynamic: "C4 diagrams",
  C4Deployment: "C4 diagrams",
  zenuml: "Sequence diagrams",
};

/** The first line: a direction, or null where a problem keeps it unknown while the rest can still be read. */
interface Header {
  direction: FlowDirection | null;
  refusal: string | null;
  /** Whether the parser should read on for further problems. */
  readable: boolean;
}

/** Reads `flowchart TD` or `graph LR`; always gives a header, with the reason where it is refused. */
export function readHeader(text: string): { header: Header; at: number; end: number } {
  const at = skipSpace(text, 0);
  const word = matchAt(WORD, text, at)?.[0] ?? "";
  const rest = at + word.length;
  if (word !== "flowchart" && word !== "graph") {
    return {
      header: refuseHeader(refuseWord(word), /^(?:flowchart|graph)/i.test(word)),
      at,
      end: lineEnd(text, rest),
    };
  }
  const found = matchAt(DIRECTION, text, rest);
  const name = found?.[1] ?? "";
  const direction = Object.hasOwn(DIRECTIONS, name) ? DIRECTIONS[name] : undefined;
  if (direction === undefined) {
    return { header: refuseHeader(refuseDirection(word, name), true), at, end: lineEnd(text, rest) };
  }
  const directionEnd = rest + (found?.[0].length ?? 0);
  const closing = matchAt(LINE_END, text, directionEnd);
  if (closing !== null) {
    return {
      header: { direction, refusal: null, readable: true },
      at,
      end: directionEnd + closing[0].length,
    };
  }
  const refusal = `After "${word} ${name}" a line break must follow. Put the first node on a new line.`;
  return { header: refuseHeader(refusal, true), at, end: lineEnd(text, rest) };
}

function refuseHeader(refusal: string, readable: boolean): Header {
  return { direction: null, refusal, readable };
}

/** The end of the line that an index is in. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

function refuseWord(word: string): string {
  const name = Object.hasOwn(OTHER_DIAGRAMS, word) ? OTHER_DIAGRAMS[word] : undefined;
  if (name !== undefined) return `${name} are not drawn, only flowcharts. Begin with flowchart TD.`;
  if (word === "")
    return "The flowchart is empty. Begin with flowchart TD and write nodes and connections below.";
  return `A flowchart begins with "flowchart" or "graph" and a direction, such as flowchart TD; here it begins with "${quote(word)}".`;
}

function refuseDirection(word: string, name: string): string {
  if (name === "") return `The direction is missing after "${word}". Write ${LISTED}, such as ${word} TD.`;
  const upper = name.toUpperCase();
  if (Object.hasOwn(DIRECTIONS, upper)) return `The direction is written in capitals: ${word} ${upper}.`;
  return `"${quote(name)}" is not a direction. Write ${LISTED}, such as ${word} TD.`;
}
