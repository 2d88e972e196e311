import type { ColumnType } from "../inspection/verdict.ts";
import { numberOfValue, textOfValue, type ValueCounts } from "./value-counts.ts";

/**
 * How the cells of a column are written, where its type leaves that open. Numbers: `integer`, `decimal`, or `vast`
 * where one is beyond a double. Dates: `day`,
 * `month`, `time` (as XML Schema's dateTime, all of one zone), `times` (others), or `dates` (several of these). Booleans:
 * their spellings. Empty for every other type.
 */
export type ColumnForm = string;

const [POINT, SMALL_E, CAPITAL_E] = [0x2e, 0x65, 0x45];
/** A number of fewer digits and without an exponent is within a double. */
const DIGITS_OF_DOUBLES = 308;
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/;

/** Finds the form of a column from its different values. */
export function findForm(type: ColumnType, counts: ValueCounts): ColumnForm {
  if (type === "number") return findNumberForm(counts);
  if (type === "date") return findDateForm(counts);
  return type === "boolean" ? listTexts(counts).sort().join(" ") : "";
}

/** Whole numbers are written with digits alone. */
function findNumberForm(counts: ValueCounts): ColumnForm {
  const { bytes, ends, size } = counts;
  let isWhole = true;
  let mayBeVast = false;
  for (let value = 0; value < size; value++) {
    const [start, end] = [ends[value] as number, ends[value + 1] as number];
    mayBeVast ||= end - start > DIGITS_OF_DOUBLES;
    for (let at = start; at < end; at++) {
      const byte = bytes[at];
      if (byte === POINT) isWhole = false;
      else if (byte === SMALL_E || byte === CAPITAL_E) {
        isWhole = false;
        mayBeVast = true;
      }
    }
  }
  if (mayBeVast && !areDoubles(counts)) return "vast";
  return isWhole ? "integer" : "decimal";
}

function areDoubles(counts: ValueCounts): boolean {
  for (let value = 0; value < counts.size; value++)
    if (!Number.isFinite(numberOfValue(counts, value))) return false;
  return true;
}

function listTexts(counts: ValueCounts): string[] {
  return Array.from({ length: counts.size }, (_, value) => textOfValue(counts, value));
}

function findDateForm(counts: ValueCounts): ColumnForm {
  let found: ColumnForm = "";
  let zone: string | null = null;
  for (let value = 0; value < counts.size; value++) {
    const text = textOfValue(counts, value);
    const own = formOfDate(text);
    const isTime = own === "time" || own === "times";
    if (found === "") found = own;
    else if (found !== own) {
      if (!isTime || !found.startsWith("time")) return "dates";
      found = "times";
    }
    if (found !== "time") continue;
    const ownZone = DATE_TIME.exec(text)?.[1] ?? "";
    zone ??= ownZone;
    if (zone !== ownZone) found = "times";
  }
  return found;
}

function formOfDate(text: string): ColumnForm {
  if (text.length === "2026-01".length) return "month";
  if (text.length === "2026-01-31".length) return "day";
  return DATE_TIME.test(text) ? "time" : "times";
}
