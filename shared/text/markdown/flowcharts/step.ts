/** The result of a reading function: a value and the index of its end, or a refusal and its index. */

/** Reading stopped at `at` (an index into the text) for the reason in `refusal`. */
export interface Refusal {
  at: number;
  refusal: string;
}

/** A value read, and the index after it. */
export interface Found<T> {
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
