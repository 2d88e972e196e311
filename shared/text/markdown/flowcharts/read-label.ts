/** The result of a reading function: a value and the index of its end, or a refusal and its index. */

/** Reading stopped at `at` (an index into the text) for the reason in `refusal`. */
export interface Refusal {
  at: number;
  refusal: string;
}

/** A value read, and the index after it. */
interface Found<T> {
  value: T;
  end: number;
}

/** The outcome of one reading function. */
export type Step<T> = Found<T> | Refusal;

/** Whether a step is a refusal. */
export function isRefusal<T>(step: Step<T>): step is Refusal {
  return "refusal" in step;
}

/** The match of a sticky expression at an index, or null. */
export function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(text);
}

/** The index after any white space, line breaks included. */
export function skipSpace(text: string, at: number): number {
  return at + (matchAt(/\s*/y, text, at)?.[0].length ?? 0);
}

/** The index after white space of the same line. */
export function skipBlanks(text: string, at: number): number {
  return at + (matchAt(/[^\S\n]*/y, text, at)?.[0].length ?? 0);
}

/** A piece of the author's text for a message: short, on one line. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const points = Array.from(line.slice(0, 120));
  return points.length > 30 ? `${points.slice(0, 29).join("")}…` : line;
}

const SPECIAL = /["()[\]{}|;]/g;
const BREAK_TAG = /<br\s*\/?>/gi;

/** The label as it is drawn: `<br>` and line ends break a line, blanks around the whole are dropped. */
export function tidyLabel(raw: string): string {
  return raw.trim().replace(BREAK_TAG, "\n");
}

/** The index of the next character that an unquoted label cannot hold, or -1. */
function findSpecial(text: string, at: number): number {
  SPECIAL.lastIndex = at;
  return SPECIAL.exec(text)?.index ?? -1;
}

/**
 * Reads a label up to its closing mark, which stays unread; `opening` is the text before it, for messages.
 */
export function readLabel(text: string, at: number, opening: string, closing: string): Step<string> {
  if (text[at] === '"') return readQuotedUntil(text, at, closing);
  const end = findSpecial(text, at);
  if (end === -1) return { at, refusal: notClosed(opening, closing) };
  if (!text.startsWith(closing, end)) {
    return { at, refusal: refuseSpecial(text, at, end, opening, closing) };
  }
  if (end === at) return { at, refusal: `A label is empty. Put text between ${opening} and ${closing}.` };
  return { value: tidyLabel(text.slice(at, end)), end };
}

/** Reads `"text"` from its first to after its second quotation mark. */
export function readQuoted(text: string, at: number): Step<string> {
  const end = text.indexOf('"', at + 1);
  if (end === -1) {
    return { at, refusal: 'A quotation mark is opened here and never closed. Close the label with ".' };
  }
  if (end === at + 1) {
    return {
      at,
      refusal: "A quoted label is empty. Put text between the quotation marks, or leave the label out.",
    };
  }
  if (text[at + 1] === "`") {
    return { at, refusal: 'Markdown in a label is not drawn. Leave the backticks out: "text".' };
  }
  return { value: tidyLabel(text.slice(at + 1, end)), end: end + 1 };
}

function readQuotedUntil(text: string, at: number, closing: string): Step<string> {
  const quoted = readQuoted(text, at);
  if (isRefusal(quoted)) return quoted;
  const end = quoted.end + (matchAt(/\s*/y, text, quoted.end)?.[0].length ?? 0);
  if (text.startsWith(closing, end)) return { value: quoted.value, end } satisfies Found<string>;
  return {
    at,
    refusal: `After the closing quotation mark of a label only ${closing} may follow. A label cannot hold quotation marks; write ' instead.`,
  };
}

function refuseSpecial(text: string, at: number, end: number, opening: string, closing: string): string {
  const found = text.charAt(end);
  if (found === '"') {
    return text.slice(at, end).trim() === ""
      ? `Put the quotation mark directly after ${opening}, without a space.`
      : `A quotation mark stands inside a label. Quote the whole label and use ' inside: ${opening}"text"${closing}.`;
  }
  if (text.slice(at, end).includes("\n")) return notClosed(opening, closing);
  const name = found === ";" ? "a semicolon" : found === "|" ? "a bar (|)" : `the bracket ${found}`;
  return `A label with ${name} must be quoted: ${opening}"text"${closing}.`;
}

function notClosed(opening: string, closing: string): string {
  return `A label opened with ${opening} is not closed. Close it with ${closing}.`;
}
