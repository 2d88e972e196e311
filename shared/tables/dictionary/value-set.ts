import { bufferOf, type CodedColumn, KIND } from "../questions/coded-table.ts";
import { countValue, startCounts } from "../statistics/value-counts.ts";

/** The different values of a column, outside of the heap. */
export interface ValueSet {
  /** Whether the text of a code of another column is among them. */
  has(column: CodedColumn, code: number): boolean;
}

/** Numbers and texts of the same letters are one value here: a CSV has no types. */
const ANY_TAG = 0;

/** The values of a column; those of blank cells are none. */
export function createValueSet(column: CodedColumn, seed: number): ValueSet {
  const values = startCounts(seed);
  const { kinds, ends } = column;
  const bytes = bufferOf(column);
  for (let code = 1; code < kinds.length; code++)
    if (kinds[code] !== KIND.blank)
      countValue(values, bytes, ends[code] as number, ends[code + 1] as number, ANY_TAG);
  const { size } = values;
  return {
    // A value that is not there is added behind those that are, so it does not count afterwards either.
    has: (other, code) =>
      countValue(
        values,
        bufferOf(other),
        other.ends[code] as number,
        other.ends[code + 1] as number,
        ANY_TAG,
      ) < size,
  };
}
