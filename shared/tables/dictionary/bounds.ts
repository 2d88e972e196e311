import { compareUnits } from "../../ground/text.ts";
import { isNumberText } from "../inspection/column-types.ts";
import { type DateKind, type Instant, kindOfDate, readInstant } from "../inspection/dates.ts";
import { createDecimalComparison } from "../rows/decimal.ts";

/** What a bound is compared with: numbers, or dates that are written as it is. */
export type BoundKind = "number" | DateKind;

/** Compares a cell with a bound; null for a cell that cannot be compared. */
export interface Bound {
  kind: BoundKind;
  /** As it is written, which sentences repeat. */
  text: string;
  compare(cell: string): number | null;
}

/** The text of a bound: a number in its shortest form, a text as it was sent. */
export function writeBound(bound: number | string): string {
  return typeof bound === "number" ? String(bound) : bound;
}

/** Reads the text of a bound; null for one that is neither a number nor a date. */
export function readBound(text: string): Bound | null {
  if (isNumberText(text)) {
    const compare = createDecimalComparison(text);
    return { kind: "number", text, compare: (cell) => (isNumberText(cell) ? compare(cell) : null) };
  }
  const kind = kindOfDate(text);
  if (kind === null) return null;
  if (kind === "month" || kind === "day")
    return { kind, text, compare: (cell) => (kindOfDate(cell) === kind ? compareUnits(cell, text) : null) };
  const wanted = readInstant(text);
  return {
    kind,
    text,
    compare: (cell) => (kindOfDate(cell) === kind ? compareInstants(cell, wanted) : null),
  };
}

function compareInstants(cell: string, wanted: Instant): number {
  const { seconds, nanoseconds } = readInstant(cell);
  return seconds - wanted.seconds || nanoseconds - wanted.nanoseconds;
}
