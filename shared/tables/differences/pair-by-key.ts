import { areSameCells } from "./compare-cells.ts";
import { createByteTest } from "./compare-rows.ts";
import type { RowIndex } from "./row-index.ts";
import { readSide, type TableSide } from "./table-side.ts";

/** Which row of the base each row of the head goes on; -1 for one that is new. */
export interface PairedRows {
  baseOf: Int32Array;
  /** 1 where both rows are known to be the same. */
  areSame: Uint8Array;
}

/** Pairs the rows of two tables by their keys, which are indexed with one seed. */
export function pairByKey(
  key: readonly string[],
  base: { side: TableSide; index: RowIndex },
  head: { side: TableSide; index: RowIndex },
): PairedRows {
  const baseOf = new Int32Array(head.side.rowCount).fill(-1);
  const areSame = new Uint8Array(head.side.rowCount);
  const { hashes, slots } = base.index;
  const mask = slots.length - 1;
  const [baseKey, headKey] = [readSide(base.side, key), readSide(head.side, key)];
  const haveSameBytes = createByteTest(base.side, head.side);
  for (let row = 0; row < baseOf.length; row++) {
    const hash = head.index.hashes[row] as number;
    for (let slot = hash & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const known = (slots[slot] as number) - 1;
      if (hashes[known] !== hash) continue;
      if (haveSameBytes(known, row)) areSame[row] = 1;
      else {
        baseKey.locate(known);
        headKey.locate(row);
        if (!areSameCells(baseKey, headKey, key.length)) continue;
      }
      baseOf[row] = known;
      break;
    }
  }
  return { baseOf, areSame };
}
