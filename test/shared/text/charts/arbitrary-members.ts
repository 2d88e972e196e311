import fc from "fast-check";
import { extreme, label, value } from "./arbitrary-charts.ts";

type Json = Record<string, unknown>;

/** Names as they stand in texts: of one character up to two hundred, of plain words or strange letters. */
const name = fc.oneof(
  { weight: 3, arbitrary: label },
  {
    weight: 3,
    arbitrary: fc
      .array(fc.string({ minLength: 1, maxLength: 14, unit: fc.constantFrom(..."abcdeWmi") }), {
        minLength: 1,
        maxLength: 12,
      })
      .map((words) => words.join(" ")),
  },
);

/** Blocks of up to sixty bars that lie, with up to eight groups. */
export const horizontalBlocks: fc.Arbitrary<string> = fc
  .record({
    names: fc.uniqueArray(name, { minLength: 1, maxLength: 60 }),
    groups: fc.option(fc.uniqueArray(label, { minLength: 1, maxLength: 8 })),
    values: fc.infiniteStream(fc.option(fc.oneof({ weight: 4, arbitrary: value }, extreme), { freq: 12 })),
    titles: fc.record({ x: label, y: label }),
  })
  .map(({ names, groups, values, titles }) => {
    const rows = names.flatMap((y) => (groups ?? [null]).map((c): Json => ({ y, c, x: next(values) })));
    if (rows.every(({ x }) => x === null) && rows[0] !== undefined) rows[0].x = 1;
    return JSON.stringify({
      mark: "bar",
      data: { values: rows },
      encoding: {
        x: { field: "x", type: "quantitative", title: titles.x },
        y: { field: "y", type: "nominal", title: titles.y },
        ...(groups !== null && { color: { field: "c", type: "nominal" } }),
      },
    });
  });

function next<Value>(values: Iterator<Value>): Value {
  const { value: found } = values.next();
  return found;
}
