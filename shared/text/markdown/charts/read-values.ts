import { RawJson } from "../../../ground/raw-json.ts";
import { findLabelFault } from "../../../ground/text.ts";
import { type Grain, readChartTime } from "./chart-times.ts";
import { showValue } from "./members.ts";

/** Notes a problem of a value; `kind` is what values with the same problem share. */
export type NoteProblem = (kind: string, reason: string) => void;

/** A value across a chart: as written, where it lies, and of a time its form and zone. */
export interface XReading {
  x: number | string;
  at: number;
  grain: Grain;
  zone: number | null;
}

const FORMS = '"2026-03-31T14:30", "2026-03-31", "2026-03", "2026-W14", "2026-Q1" or "2026"';
const TIME_OF_DAY = /^\d{1,2}:\d/;
const FRACTION = /:\d\d[.,]\d/;

/** A date or a time, or null where its problem is noted. */
export function readDate(value: unknown, note: NoteProblem): XReading | null {
  const read = readChartTime(value);
  if (read !== null) return { x: String(value), at: read.time, grain: read.grain, zone: read.zone };
  const forms = `a real date or time written as ${FORMS}`;
  const text = typeof value === "string" ? value : "";
  const mend = TIME_OF_DAY.test(text)
    ? '; times without a day are labels: write "type": "ordinal"'
    : FRACTION.test(text)
      ? "; leave fractions of a second out"
      : "";
  note("no date", `must be ${forms}, got ${showValue(value)}${mend}.`);
  return null;
}

/** A finite number, or null where its problem is noted; `isAsked` for a cell of a file, which no author can rewrite. */
export function readNumber(sent: unknown, note: NoteProblem, isAsked = false): number | null {
  const value = sent instanceof RawJson ? Number(sent.text) : sent;
  // Adding 0 turns -0 into 0.
  if (typeof value === "number" && Number.isFinite(value)) return value + 0;
  const quoted = typeof value === "string" && /^\s*[-+]?[\d.,]+%?\s*$/.test(value);
  const [ofText, ofOther] = isAsked
    ? ["; upload the file with a number there", '; leave it out with "blank" in data.from']
    : ["; write it as a plain number without quotes", ""];
  const mend = quoted ? ofText : typeof value === "string" ? ofOther : "";
  note("no finite number", `must be a finite number, got ${showValue(value)}${mend}.`);
  return null;
}

/** A label, or null where its problem is noted. */
export function readLabel(sent: unknown, note: NoteProblem): string | null {
  const value = sent instanceof RawJson ? sent.text : sent;
  if (typeof value === "object") {
    note("no label", `must be a text, a number, true or false, got ${showValue(value)}.`);
    return null;
  }
  const label = String(value);
  const fault = findLabelFault(label);
  if (fault === null && label !== "Infinity" && label !== "-Infinity") return label;
  if (fault === null && typeof value === "string") return label;
  note("no label", `${fault ?? "must be a finite number or a text"}.`);
  return null;
}
