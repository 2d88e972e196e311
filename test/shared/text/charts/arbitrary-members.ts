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

/** Some scale that holds values of at least `low` and at most `high`; `filled` marks begin at zero. */
function scaleOf(low: number, high: number, filled: boolean): fc.Arbitrary<Json | undefined> {
  const [from, to] = filled ? [Math.min(0, low), Math.max(0, high)] : [low, high];
  const choices: (Json | undefined)[] = [undefined, { type: "linear" }, { zero: true }];
  if (!filled) choices.push({ zero: false });
  if (!filled && low > 0) choices.push({ type: "log" }, { type: "log", zero: false });
  if (from < to && Number.isFinite(to - from)) {
    choices.push({ domain: [from, to] });
    if (!filled && from > 0) choices.push({ type: "log", domain: [from, to] });
  }
  return fc.constantFrom(...choices);
}

const axis = fc.option(
  fc.record(
    {
      format: fc.constantFrom("", ",", ".1f", ",.2~f", "f", "%", ".0%", "s", "~s", ".3s", "d", ",d", ".2"),
      unit: fc.oneof(
        fc.constantFrom("m", "µg/m³", "€", "ليتر", "W".repeat(20)),
        fc.string({ maxLength: 20 }),
      ),
    },
    { requiredKeys: [] },
  ),
  { nil: undefined },
);

const positive = fc.oneof(
  fc.double({ noNaN: true, min: 5e-324, max: Number.MAX_VALUE }),
  fc.double({ noNaN: true, min: 0.001, max: 1e6 }),
  fc.integer({ min: 1, max: 1000 }),
);
/** Numbers that are all above zero, or of both signs. */
const numbers = fc
  .constantFrom(positive, positive, value, extreme)
  .chain((any) => fc.array(any, { minLength: 1, maxLength: 40 }));

interface Shape {
  mark: "bar" | "line" | "point" | "area";
  ys: number[];
  xs: number[] | null;
}

/** Blocks of one group with a scale, an axis and an order, of every mark, lying bars too. */
export const memberBlocks: fc.Arbitrary<string> = fc
  .record({ mark: fc.constantFrom("bar", "line", "point", "area"), ys: numbers, xs: fc.option(numbers) })
  .map(({ mark, ys, xs }): Shape => ({ mark, ys, xs: mark === "bar" || mark === "area" ? null : xs }))
  .chain(({ mark, ys, xs }) => {
    const filled = mark === "bar" || mark === "area";
    const xNumbers = xs ?? [];
    return fc.record({
      ...{ mark: fc.constant(mark), ys: fc.constant(ys), xs: fc.constant(xs), axes: fc.tuple(axis, axis) },
      lying: fc.boolean(),
      y: scaleOf(Math.min(...ys), Math.max(...ys), filled),
      x: scaleOf(Math.min(...xNumbers), Math.max(...xNumbers), false),
      sort: fc.constantFrom(undefined, null, "value", "-value", "ascending", "descending", ["3", "1"]),
      titles: fc.record({ x: label, y: label }),
    });
  })
  .map(({ mark, ys, xs, axes, lying, x, y, sort, titles }) => {
    const isLying = mark === "bar" && lying;
    const values = ys.map((b, index) => ({ a: xs === null ? index : xs[index % xs.length], b }));
    const own = typeof sort === "string" ? sort.replace("value", isLying ? "x" : "y") : sort;
    const order = Array.isArray(own) ? own.filter((name) => Number(name) < ys.length) : own;
    const names = { type: "ordinal", ...(order !== undefined && order?.length !== 0 && { sort: order }) };
    const base = { field: "a", title: titles.x, ...(xs === null ? names : numbersOf(x, axes[0])) };
    const measured = { field: "b", title: titles.y, ...numbersOf(y, axes[1]) };
    const encoding = isLying ? { x: measured, y: base } : { x: base, y: measured };
    return JSON.stringify({ mark, data: { values }, encoding });
  });

function numbersOf(scale: Json | undefined, axis: Json | undefined): Json {
  return { type: "quantitative", ...(scale && { scale }), ...(axis && { axis }) };
}
