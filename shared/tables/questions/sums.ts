import { countDecimals, readShortNumber } from "../rows/decimal.ts";
import { type CodedColumn, createTextReader, KIND, type ScaledNumbers } from "./coded-table.ts";
import { addExact, type Exact, readExact } from "./exact.ts";
import { tooLarge } from "./plan.ts";
import type { Grouping } from "./select-rows.ts";

/** A number so short has a whole number of units that a double holds. */
const SHORT_CHARACTERS = 15;

/** The numbers of a column's codes in units of one scale. */
export function scaleNumbers(column: CodedColumn): ScaledNumbers {
  const { kinds, ends, bytes } = column;
  const units = new Float64Array(kinds.length).fill(Number.NaN);
  const scales = new Uint8Array(kinds.length);
  let scale = 0;
  for (let code = 1; code < kinds.length; code++) {
    if (kinds[code] !== KIND.number) continue;
    const start = ends[code] as number;
    const end = ends[code + 1] as number;
    if (end - start > SHORT_CHARACTERS) continue;
    scales[code] = countDecimals(bytes, start, end);
    // Exact: a number so short times its power of ten is less than half a unit off.
    units[code] = Math.round(readShortNumber(bytes, start, end) * 10 ** (scales[code] as number));
    if (!Number.isNaN(units[code] as number)) scale = Math.max(scale, scales[code] as number);
  }
  for (let code = 1; code < kinds.length; code++) {
    const whole = (units[code] as number) * 10 ** (scale - (scales[code] as number));
    units[code] = Number.isSafeInteger(whole) ? whole : Number.NaN;
  }
  return { scale, units };
}

/** Counts and adds up the numbers of each group exactly: in whole doubles as long as they are exact, then in BigInts. */
export function addUp(
  { codes, kinds, ...column }: CodedColumn,
  { scale, units }: ScaledNumbers,
  rows: Uint32Array,
  { count, groupOf }: Grouping,
) {
  const counts = new Float64Array(count);
  const totals = new Float64Array(count);
  const spilled = new Map<number, Exact>();
  const textOf = createTextReader({ codes, kinds, ...column });
  const spill = (group: number, more: Exact): void => {
    const before = spilled.get(group);
    spilled.set(group, before === undefined ? more : addExact(before, more));
  };
  for (let place = 0; place < rows.length; place++) {
    const code = codes[rows[place] as number] as number;
    if (kinds[code] === KIND.blank) continue;
    const group = groupOf[place] as number;
    counts[group] = (counts[group] as number) + 1;
    const more = units[code] as number;
    const total = totals[group] as number;
    const next = total + more;
    if (Number.isSafeInteger(next)) totals[group] = next;
    else if (Number.isNaN(more)) spill(group, readLong(textOf(code)));
    else {
      spill(group, { units: BigInt(total), scale });
      totals[group] = more;
    }
  }
  const sumOf = (group: number): Exact => {
    const own = { units: BigInt(totals[group] as number), scale };
    const more = spilled.get(group);
    return more === undefined ? own : addExact(own, more);
  };
  return { counts, sumOf };
}

function readLong(text: string): Exact {
  const exact = readExact(text);
  if (exact === null)
    throw tooLarge("A number has over 10,000 digits. Filter such numbers out before they are added.");
  return exact;
}
