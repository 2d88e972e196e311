import type { ColumnType } from "../inspect/verdict.ts";
import { textOfValue, type ValueCounts } from "./value-counts.ts";

/**
 * How the cells of a column are written, where its type leaves that open. Numbers: `integer` or `decimal`. Dates: `day`,
 * `month`, `time` (as XML Schema's dateTime, all of one zone), `times` (others), or `dates` (several of these). Booleans:
 * their spellings. Empty for every other type.
 */
export type ColumnForm = string;

const [POINT, SMALL_E, CAPITAL_E] = [0x2e, 0x65, 0x45];
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/;

/** Finds the form of a column from its different values. */
export function findForm(type: ColumnType, counts: ValueCounts): ColumnForm {
  if (type === "number") return isWhole(counts) ? "integer" : "decimal";
  if (type === "date") return findDateForm(counts);
  return type === "boolean" ? listTexts(counts).sort().join(" ") : "";
}

/** Whether every number is written with digits alone. */
function isWhole({ bytes, ends, size }: ValueCounts): boolean {
  const end = ends[size] as number;
  for (let at = 0; at < end; at++) {
    const byte = bytes[at];
    if (byte === POINT || byte === SMALL_E || byte === CAPITAL_E) return false;
  }
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
