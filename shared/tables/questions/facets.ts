import { type CodedColumn, createTextReader, KIND } from "./coded-table.ts";
import type { QueryPlan } from "./plan.ts";
import { encodeCell } from "./result-cells.ts";

/** What the selected rows hold in one column, as JSON text; `room` is how many bytes all facets may still take. */
export function encodeFacet(
  plan: QueryPlan,
  column: CodedColumn,
  rows: Uint32Array,
  room: { bytes: number },
): string {
  const { codes, kinds, name } = column;
  const counts = new Uint32Array(kinds.length);
  // In the order of their first rows, which the sort keeps for equal counts.
  const filled: number[] = [];
  let blanks = 0;
  for (const row of rows) {
    const code = codes[row] as number;
    if (kinds[code] === KIND.blank) blanks++;
    else if (counts[code] === 0) filled.push(code);
    counts[code] = (counts[code] as number) + 1;
  }
  filled.sort((one, other) => (counts[other] as number) - (counts[one] as number));
  const textOf = createTextReader(column);
  const values: string[] = [];
  let others = rows.length - blanks;
  for (const code of filled.slice(0, plan.question.facetSize)) {
    const value = encodeCell(kinds[code] as number, () => textOf(code), plan.format === "csv");
    const count = counts[code] as number;
    room.bytes -= Buffer.byteLength(value);
    if (room.bytes < 0 && values.length > 0) break;
    values.push(`{"value":${value},"count":${count}}`);
    others -= count;
  }
  const head = `{"column":${JSON.stringify(name)},"distinct":${filled.length},"blanks":${blanks}`;
  return `${head},"values":[${values.join(",")}],"others":${others}}`;
}
