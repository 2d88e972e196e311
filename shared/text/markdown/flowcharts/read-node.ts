import type { NodeForm } from "./flowchart.ts";
import { isRefusal, matchAt, quote, readLabel, type Step } from "./read-label.ts";

/** A node as one place of the text names it: label and form are null where it stands alone. */
export interface NamedNode {
  id: string;
  label: string | null;
  form: NodeForm | null;
}

interface Form {
  opening: string;
  closing: string;
  form: NodeForm | null;
  /** Mermaid's name for a form that is not drawn here. */
  name?: string;
}

// Longest first, in the order in which Mermaid tries them.
const FORMS: readonly Form[] = [
  { opening: "(((", closing: ")))", form: null, name: "Double circles" },
  { opening: "((", closing: "))", form: "circle" },
  { opening: "([", closing: "])", form: "stadium" },
  { opening: "(-", closing: "-)", form: null, name: "Ellipses" },
  { opening: "(", closing: ")", form: "rounded" },
  { opening: "[[", closing: "]]", form: null, name: "Subroutine boxes" },
  { opening: "[(", closing: ")]", form: null, name: "Cylinders" },
  { opening: "[|", closing: "]", form: null, name: "Boxes with properties" },
  { opening: "[/", closing: "]", form: null, name: "Parallelograms and trapezoids" },
  { opening: "[\\", closing: "]", form: null, name: "Parallelograms and trapezoids" },
  { opening: "[", closing: "]", form: "box" },
  { opening: "{{", closing: "}}", form: null, name: "Hexagons" },
  { opening: "{", closing: "}", form: "decision" },
  { opening: ">", closing: "]", form: null, name: "Flags" },
];

const USE_LISTED =
  "Use one of A[box], A(rounded), A([stadium]), A{decision}, A((circle)); a label that begins with a special character is quoted.";

/** Reads a node: an id, and directly after it one of the five forms with its label. */
export function readNode(text: string, at: number): Step<NamedNode> {
  const id = readId(text, at);
  if (isRefusal(id)) return id;
  const form = FORMS.find(({ opening }) => text.startsWith(opening, id.end));
  if (form === undefined) return { value: { id: id.value, label: null, form: null }, end: id.end };
  if (form.form === null) return { at: id.end, refusal: `${form.name} are not drawn. ${USE_LISTED}` };
  const labelAt = id.end + form.opening.length;
  if (form.form === "circle" && text[labelAt] === "-") {
    return { at: id.end, refusal: 'A label that begins with - must be quoted: (("-text")).' };
  }
  const label = readLabel(text, labelAt, form.opening, form.closing);
  if (isRefusal(label)) return label;
  const value = { id: id.value, label: label.value, form: form.form };
  return { value, end: label.end + form.closing.length };
}

// Letters that joined the Basic Multilingual Plane after Unicode 6.1 (2012). Mermaid's id rule was made from that
// version, and a text that Mermaid cannot read must not be accepted here.
const NEWER_LETTERS =
  "\\u037f\\u0528-\\u052f\\u0560\\u0588\\u05ef\\u0860-\\u086a\\u0870-\\u0887\\u0889-\\u088f\\u08a1\\u08ad-\\u08c9" +
  "\\u0978\\u0980\\u09fc\\u0af9\\u0c34\\u0c5a\\u0c5c\\u0c5d\\u0c80\\u0cdc\\u0cdd\\u0d04\\u0d54-\\u0d56\\u0d5f" +
  "\\u0e86\\u0e89\\u0e8c\\u0e8e-\\u0e93\\u0e98\\u0ea0\\u0ea8\\u0ea9\\u0eac\\u13f5\\u13f8-\\u13fd\\u16f1-\\u16f8" +
  "\\u170d\\u171f\\u1878\\u191d\\u191e\\u19b0-\\u19c0\\u19c8\\u19c9\\u1b4c\\u1c80-\\u1c8a\\u1c90-\\u1cba" +
  "\\u1cbd-\\u1cbf\\u1cf2\\u1cf3\\u1cfa\\u2c2f\\u2c5f\\u312e\\u312f\\u31bb-\\u31bf\\u4db6-\\u4dbf\\u9fcd-\\u9fff" +
  "\\ua698-\\ua69d\\ua78f\\ua794-\\ua79f\\ua7ab-\\ua7dc\\ua7f1-\\ua7f7\\ua8fd\\ua8fe\\ua9e0-\\ua9e4\\ua9e6-\\ua9ef" +
  "\\ua9fa-\\ua9fe\\uaa7e\\uaa7f\\uab30-\\uab5a\\uab5c-\\uab69\\uab70-\\uabbf";
const LETTER = new RegExp(`(?![A-Za-z${NEWER_LETTERS}])[\\p{L}--[\\u{10000}-\\u{10ffff}]]`, "vy");

// Mermaid reads an id in pieces: a run of digits, a run of ASCII, or one other letter. Each piece may not be one of
// its own words, nor look like the `x--` and `o--` of its other arrow ends.
const DIGITS = /[0-9]+/y;
const RUN = /(?:[A-Za-z0-9_]|-(?![>\-.]))+/y;
const OWN_WORD =
  /(?:style|linkStyle|interpolate|classDef|class|flowchart-elk|swimlane-beta|graph|flowchart|subgraph|end|_self|_blank|_parent|_top)\b|(?:href|click|call)(?=\s)/y;
const DESCRIPTION = /accTitle(?=\s*:)|accDescr(?=\s*[:{])/y;
const DEFAULT = /default\b/y;
const ARROW_END = /[xo](?:--|==|-?\.+-|-\.)/y;
const ODD_CHARACTER = /[^\s;()[\]{}|<>"&@:%=~-][^\s;()[\]{}|<>"&@:%=~-]*/uy;

/** Reads a node id: letters of any script that Mermaid knows, digits, `_` and `-`. */
function readId(text: string, start: number): Step<string> {
  let at = start;
  while (at < text.length) {
    const refusal = refusePiece(text, start, at);
    if (refusal !== null) return { at, refusal };
    const piece = readPiece(text, at);
    if (piece === 0) break;
    at += piece;
  }
  if (at === start) return { at, refusal: refuseStart(text, at) };
  const odd = matchAt(ODD_CHARACTER, text, at);
  if (odd !== null) return { at, refusal: `${nameId(text.slice(start, at) + odd[0])} ${ID_RULE}` };
  return { value: text.slice(start, at), end: at };
}

const ID_RULE =
  'cannot be a node id: ids are letters, digits, _ and -. Use a short id such as n1 and put the text in its label: n1["…"].';

function nameId(id: string): string {
  return `"${quote(id)}"`;
}

function readPiece(text: string, at: number): number {
  const piece =
    matchAt(DIGITS, text, at) ??
    matchAt(DEFAULT, text, at) ??
    matchAt(RUN, text, at) ??
    matchAt(LETTER, text, at);
  return piece?.[0].length ?? 0;
}

function refusePiece(text: string, start: number, at: number): string | null {
  const end = matchAt(ARROW_END, text, at);
  if (end !== null) {
    return `"${text.slice(start, at + 1)}" and the connection after it run together into another arrow end. Put a space between them.`;
  }
  const word = matchAt(DESCRIPTION, text, at) ?? matchAt(OWN_WORD, text, at);
  if (word === null) return null;
  if (word[0] === "end") {
    return 'A node cannot be named "end", nor can an id begin with this word. Write End, or another id with the label: finish["end"].';
  }
  return `"${word[0]}" is a word of the flowchart language, so no node id can begin with it. Use another id and put the word in its label: n1["${word[0]}"].`;
}

function refuseStart(text: string, at: number): string {
  const odd = matchAt(ODD_CHARACTER, text, at);
  if (odd !== null) return `${nameId(odd[0])} ${ID_RULE}`;
  return "A node is missing here. Write a node id, such as A or A[label].";
}
