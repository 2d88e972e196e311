import type { FlowchartConnection } from "./flowchart.ts";
import {
  isRefusal,
  matchAt,
  readLabel,
  readQuoted,
  type Step,
  skipBlanks,
  skipSpace,
  tidyLabel,
} from "./read-label.ts";

/** The mark between two nodes, with its label; empty without one. */
export type NamedConnection = Omit<FlowchartConnection, "from" | "to">;

const LISTED: Readonly<Record<string, Omit<NamedConnection, "label">>> = {
  "-->": { line: "solid", arrow: true },
  "---": { line: "solid", arrow: false },
  "-.->": { line: "dashed", arrow: true },
  "==>": { line: "thick", arrow: true },
};

// The marks of Mermaid, in the order in which it tries them: complete ones, and ones that a text follows.
const WHOLE = /[xo<]?(?:--+[-xo>]|==+[=xo>]|-?\.+-[xo>]?)|~~~+/y;
const SOLID_START = /--/y;
const OPEN_START = /[xo<]?(?:--|==|-\.)/y;
const SHORT = /[-=]>/y;

/** Reads a connection at an index, or gives null where none begins; white space and line ends may stand around it. */
export function readConnection(text: string, from: number): Step<NamedConnection> | null {
  const at = skipSpace(text, from);
  const whole = matchAt(WHOLE, text, at);
  if (whole !== null) {
    const listed = LISTED[whole[0]];
    if (listed === undefined) return { at, refusal: refuseMark(whole[0]) };
    return readBarLabel(text, at + whole[0].length, whole[0], listed);
  }
  if (matchAt(SOLID_START, text, at) !== null) return readInlineLabel(text, from, at);
  const start = matchAt(OPEN_START, text, at);
  if (start !== null) return { at, refusal: refuseStart(start[0]) };
  const short = matchAt(SHORT, text, at);
  if (short === null) return null;
  const longer = short[0] === "->" ? "-->" : "==>";
  return { at, refusal: `"${short[0]}" is not a connection. Write ${longer}.` };
}

function readBarLabel(
  text: string,
  from: number,
  mark: string,
  listed: Omit<NamedConnection, "label">,
): Step<NamedConnection> {
  const at = skipSpace(text, from);
  if (text[at] !== "|") return { value: { ...listed, label: "" }, end: at };
  const label = readLabel(text, at + 1, "|", "|");
  if (isRefusal(label)) return label;
  const end = skipBlanks(text, label.end + 1);
  if (text[end] === "\n" || end === text.length) {
    return { at, refusal: `A node must follow on the same line as the label: A ${mark}|text| B.` };
  }
  return { value: { ...listed, label: label.value }, end };
}

function readInlineLabel(text: string, from: number, at: number): Step<NamedConnection> {
  const labelAt = skipSpace(text, at + 2);
  const label =
    text[labelAt] === '"'
      ? readQuotedInline(text, labelAt)
      : readPlainInline(text, labelAt, at === from && labelAt === at + 2);
  if (isRefusal(label)) return label;
  const mark = matchAt(WHOLE, text, label.end)?.[0] ?? "";
  if (mark !== "-->") return { at, refusal: refuseInlineEnd(mark) };
  const end = skipSpace(text, label.end + mark.length);
  if (text[end] === "|") {
    return { at, refusal: "A connection has two labels. Write one: -- text --> or -->|text|." };
  }
  return { value: { line: "solid", arrow: true, label: label.value }, end };
}

function readQuotedInline(text: string, at: number): Step<string> {
  const quoted = readQuoted(text, at);
  return isRefusal(quoted) ? quoted : { value: quoted.value, end: skipSpace(text, quoted.end) };
}

const INLINE_END = /--|["()[\]{}|;]/g;

function readPlainInline(text: string, at: number, joined: boolean): Step<string> {
  INLINE_END.lastIndex = at;
  const found = INLINE_END.exec(text);
  if (found === null) return { at, refusal: unfinished(text, at) };
  if (found[0] !== "--") return { at, refusal: refuseInside(text, at, found.index, found[0]) };
  const raw = text.slice(at, found.index);
  if (raw.trim() === "")
    return { at, refusal: "A label is empty. Write --> without a label, or -- text -->." };
  if (/[xo<]$/.test(raw)) {
    return {
      at,
      refusal: "The label and the arrow run together into another arrow end. Put a space before -->.",
    };
  }
  // `A--me@home-->B` is an edge id to Mermaid, `A -- me@home --> B` is a label.
  if (joined && /^\S*@/.test(raw))
    return { at, refusal: "Put a space around a label that holds @: A -- text --> B." };
  return { value: tidyLabel(raw), end: found.index };
}

function unfinished(text: string, at: number): string {
  const next = text[at];
  return next === undefined || next === "\n"
    ? "A connection is not finished. Write --> and a node after it."
    : 'A connection begun with "--" has no end. Write A --> B, or A -- text --> B.';
}

function refuseInside(text: string, at: number, end: number, found: string): string {
  if (text.slice(at, end).includes("\n")) return unfinished(text, at);
  if (found === '"') return 'A quotation mark stands inside a label. Quote the whole label: -- "text" -->.';
  const between = text.slice(at, end).trim();
  if (found !== ";" && /^[\p{L}\p{N}_]+$/u.test(between)) {
    return '"--" is not a connection. Write A --> B, A --- B, or A -- "text" --> B.';
  }
  const name = found === ";" ? "a semicolon" : found === "|" ? "a bar (|)" : `the bracket ${found}`;
  return `A label with ${name} must be quoted: -- "text" -->. A connection without a label is written -->.`;
}

function refuseInlineEnd(mark: string): string {
  if (mark === "---") return "A label on a line without arrowhead is written ---|text|.";
  if (mark === "") return 'A label with "--" in it must be quoted: -- "text" -->.';
  return refuseMark(mark);
}

function refuseStart(mark: string): string {
  if (/^[xo<]/.test(mark)) return refuseMark(mark);
  const listed = mark === "==" ? "==>|text|" : "-.->|text|";
  return `A label on this connection is written between bars: ${listed}.`;
}

function refuseMark(mark: string): string {
  const plain = mark.includes("=") ? "==>" : mark.includes(".") ? "-.->" : "-->";
  if (mark.startsWith("~"))
    return `Invisible connections (${shorten(mark)}) are not drawn. Remove it, or write -->.`;
  if (/^[xo<]/.test(mark)) {
    const space = mark.startsWith("<") ? "" : `; if ${mark.charAt(0)} is a node, put a space after it`;
    return `Connections with two ends (${shorten(mark)}) are not drawn. Write ${plain} once for each direction${space}.`;
  }
  if (/[xo]$/.test(mark)) {
    return `Cross and circle ends (${shorten(mark)}) are not drawn. Write ${plain}, or put a space between the connection and the node.`;
  }
  if (mark === "===" || mark === "-.-") {
    return `"${mark}" is not drawn. Write ${plain}, or --- for a line without arrowhead.`;
  }
  const short = mark.endsWith(">") || plain !== "-->" ? plain : "---";
  return `Longer connections (${shorten(mark)}) are not drawn. Write ${short}.`;
}

function shorten(mark: string): string {
  return mark.length > 12 ? `${mark.slice(0, 11)}…` : mark;
}
