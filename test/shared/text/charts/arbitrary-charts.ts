import fc from "fast-check";
import type { Chart } from "../../../../shared/text/markdown/charts/chart.ts";
import { readChartTime } from "../../../../shared/text/markdown/charts/chart-times.ts";
import { parseChart } from "../../../../shared/text/markdown/charts/parse-chart.ts";

type Mark = "bar" | "line" | "area" | "point";
type XType = "quantitative" | "nominal" | "ordinal" | "temporal";

/** Plain and strange names. */
export const label = fc.oneof(
  { weight: 3, arbitrary: fc.string({ minLength: 1, maxLength: 12 }) },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ minLength: 140, maxLength: 160 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "قهوة عربية",
      "תה ירוק",
      "👩‍👩‍👧‍👦🍎",
      "日本語のラベル",
      "a\u202eb\u2069c",
      "<b>&amp;\"'",
      "W".repeat(160),
    ),
  },
);
/** Usual numbers, some of them at the ends of the doubles. */
export const value = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -1000, max: 100_000 }) },
  { weight: 2, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }) },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1e308, -1e308, 5e-324, 1e15, 0.1 + 0.2, Number.MAX_VALUE) },
);
const double = fc.double({ noNaN: true, noDefaultInfinity: true });
// At and near the ends of the doubles, where sums, differences and products leave them, and such that hardly differ.
const EDGES = [0, 5e-324, 2.3e-308, 1e-290, 1e-200, 1, 1e200, 1e290, 9e307, Number.MAX_VALUE];
/** Numbers from the ends of the doubles. */
export const extreme = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...EDGES, ...EDGES.map((edge) => -edge)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...EDGES), fc.integer({ min: -3, max: 3 }))
      .map(([edge, steps]) => edge * (1 - steps * Number.EPSILON))
      .filter(Number.isFinite),
  },
  { weight: 1, arbitrary: double.map((near) => near % 1e-300) },
  { weight: 1, arbitrary: double },
  { weight: 1, arbitrary: fc.integer({ min: -9, max: 9 }) },
);
const date = fc
  .tuple(
    fc.integer({ min: 1, max: 9999 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
    fc.nat(3),
  )
  .map(([year, month, day, form]) => {
    const [y, m, d] = [
      String(year).padStart(4, "0"),
      String(month).padStart(2, "0"),
      String(day).padStart(2, "0"),
    ];
    return [`${y}-${m}-${d}`, `${y}-${m}`, y, year][form] ?? y;
  });
const nearDate = fc.nat(900).map((days) => new Date(Date.UTC(2024, 0, 1 + days)).toISOString().slice(0, 10));
/** An hour, minute or second within some days, a week or a quarter. */
const time = fc
  .tuple(fc.nat(400_000), fc.constantFrom(13, 16, 19), fc.nat(9))
  .map(([seconds, length, form]) => {
    if (form === 0) return `2024-W${String(1 + (seconds % 52)).padStart(2, "0")}`;
    if (form === 1) return `${2000 + (seconds % 30)}-Q${1 + (seconds % 4)}`;
    const iso = new Date(Date.UTC(2024, 11, 29) + seconds * 1000).toISOString().slice(0, length);
    return form === 2 ? iso.replace("T", " ") : iso;
  });

function arbitraryX(type: XType, value: fc.Arbitrary<number>): fc.Arbitrary<string | number | boolean> {
  if (type === "quantitative") return value;
  if (type === "temporal") return fc.oneof(date, nearDate, time);
  return fc.oneof(
    { weight: 5, arbitrary: label },
    { weight: 1, arbitrary: fc.oneof(fc.integer(), fc.boolean()) },
  );
}

interface Shape {
  mark: Mark;
  type: XType;
  colored: boolean;
  size: number;
  value: fc.Arbitrary<number>;
}

const shapeOf = (size: fc.Arbitrary<number>, value: fc.Arbitrary<number>): fc.Arbitrary<Shape> =>
  fc.record({
    value: fc.constant(value),
    mark: fc.constantFrom("bar", "line", "area", "point"),
    type: fc.constantFrom("quantitative", "nominal", "ordinal", "temporal"),
    colored: fc.boolean(),
    size,
  });

/** Blocks of up to twenty rows that the grammar accepts, of every mark and type, with plain and strange texts. */
export const smallBlocks = shapeOf(fc.integer({ min: 1, max: 20 }), value).chain(writeBlockOf);

/** The same with numbers from the ends of the doubles. */
export const extremeBlocks = shapeOf(fc.integer({ min: 1, max: 20 }), extreme).chain(writeBlockOf);

/** Blocks of up to 500 rows, a third of them full, that the grammar accepts. */
export const largeBlocks = shapeOf(
  fc.oneof(
    { weight: 2, arbitrary: fc.integer({ min: 21, max: 130 }) },
    { weight: 1, arbitrary: fc.constant(500) },
  ),
  value,
).chain(writeBlockOf);

function writeBlockOf({ mark, type, colored, size, value }: Shape): fc.Arbitrary<string> {
  const xType = mark === "bar" && type === "quantitative" ? "nominal" : type;
  const groupLabels = fc.uniqueArray(label, { minLength: 1, maxLength: mark === "point" ? 3 : 8 });
  return fc
    .record({
      xs: fc.array(arbitraryX(xType, value), { minLength: size, maxLength: size, size: "max" }),
      ys: fc.array(fc.option(value, { freq: 12 }), { minLength: size, maxLength: size, size: "max" }),
      groups: groupLabels,
      title: fc.option(fc.string({ unit: "grapheme-ascii", maxLength: 120 })),
      titles: fc.record({ x: label, y: label }),
    })
    .map(({ xs, ys, groups, title, titles }) => {
      const group = (index: number): string => groups[index % groups.length] ?? "";
      const unsigned = mark === "area" && colored;
      const rows = xs.map((x, index) => ({ x, y: ys[index] ?? null, c: group(index) }));
      const drawn = mark === "bar" || mark === "area" ? dropRepeats(rows, colored) : rows;
      if (drawn.every(({ y }) => y === null)) drawn[0] = { x: drawn[0]?.x ?? 1, y: 1, c: group(0) };
      return JSON.stringify({
        mark,
        ...(title !== null && { title }),
        data: {
          values: drawn.map((row) => ({ ...row, y: unsigned && row.y !== null ? Math.abs(row.y) : row.y })),
        },
        encoding: {
          x: { field: "x", type: xType, title: titles.x },
          y: { field: "y", type: "quantitative", title: titles.y },
          ...(colored && { color: { field: "c", type: "nominal" } }),
        },
      });
    });
}

const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, "", [], {}, 0, -1, "nominal", "quantitative", "pie", "2024-02-30"),
  fc.jsonValue(),
);

/** Blocks that were acceptable until one member, one field of the rows or a piece of the text was changed. */
export const changedBlocks: fc.Arbitrary<string> = fc
  .tuple(smallBlocks, fc.nat(), fc.nat(), fc.option(anything, { freq: 4 }))
  .map(([source, where, what, value]) => {
    if (what % 7 === 0) return source.slice(0, where % source.length);
    const block: unknown = JSON.parse(source);
    const places = listPlaces(block);
    const place = places[where % places.length];
    if (place === undefined) return source;
    if (value === null) delete place.owner[place.key];
    else place.owner[place.key] = value;
    return JSON.stringify(block);
  });

interface Place {
  owner: Record<string, unknown>;
  key: string;
}

function listPlaces(value: unknown): Place[] {
  if (typeof value !== "object" || value === null) return [];
  const owner = value as Record<string, unknown>;
  return Object.keys(owner).flatMap((key) => [{ owner, key }, ...listPlaces(owner[key])]);
}

interface GeneratedRow {
  x: string | number | boolean;
  y: number | null;
  c: string;
}

/** A bar and an area take each x once in a group; "2020", 2020 and "2020-Q1" are one time, 9 and "9" one name. */
function dropRepeats(rows: GeneratedRow[], colored: boolean): GeneratedRow[] {
  const seen = new Set<string>();
  return rows.filter(({ x, c }) => {
    const time = readChartTime(x)?.time;
    const keys = [String(x), ...(time === undefined ? [] : [time])].map((own) =>
      JSON.stringify([own, colored && c]),
    );
    if (keys.some((key) => seen.has(key))) return false;
    for (const key of keys) seen.add(key);
    return true;
  });
}

/** The chart of a block that must be acceptable; throws with its problems where it is not. */
export function acceptChart(source: string): Chart {
  const parsed = parseChart(source);
  if (!parsed.ok) throw new Error(`${JSON.stringify(parsed.problems)} ${source.slice(0, 400)}`);
  return parsed.chart;
}
