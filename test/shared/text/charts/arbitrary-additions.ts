import fc from "fast-check";
import { readChartTime } from "../../../../shared/text/markdown/charts/chart-times.ts";

type Row = {
  x: string | number | boolean;
  y: number | null;
  c: string;
  facet?: string;
  low?: number;
  mid?: number | null;
};

interface Block {
  mark: string;
  data: { values: Row[] };
  encoding: Record<string, { type: string; field: string }>;
}

/** How a block gets further members: each from its own rows, so that the grammar accepts it. */
interface Additions {
  facets: string[] | null;
  isBand: boolean;
  hasLine: boolean;
  annotations: {
    kind: "rule" | "band" | "point";
    axis: "x" | "y";
    label: string;
    from: number;
    to: number;
  }[];
}

const label = fc.oneof(
  { weight: 3, arbitrary: fc.string({ minLength: 1, maxLength: 80 }).filter((text) => text.trim() !== "") },
  {
    weight: 2,
    arbitrary: fc.constantFrom("Target", "First lockdown", "قهوة عربية", "日本語のラベル", "W".repeat(80)),
  },
);

const additions: fc.Arbitrary<Additions> = fc.record({
  facets: fc.option(fc.uniqueArray(label, { minLength: 1, maxLength: 24 }), { freq: 2 }),
  isBand: fc.boolean(),
  hasLine: fc.boolean(),
  annotations: fc.array(
    fc.record({
      kind: fc.constantFrom("rule", "band", "point"),
      axis: fc.constantFrom("x", "y"),
      label,
      from: fc.nat(999),
      to: fc.nat(999),
    }),
    { maxLength: 10 },
  ),
});

/** Blocks with bands, facets and annotations added to them. */
export function withMembers(blocks: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(blocks, additions)
    .map(([source, more]) => JSON.stringify(addMembers(JSON.parse(source), more)));
}

function addMembers(block: Block, { facets, isBand, hasLine, annotations }: Additions) {
  const rows = block.data.values;
  const encoding: Record<string, object> = { ...block.encoding };
  if (facets !== null) {
    for (const [index, row] of rows.entries()) row.facet = facets[index % facets.length] ?? "";
    encoding.facet = { field: "facet", type: "nominal", title: "Facet" };
  }
  const groups = new Set(rows.map(({ c }) => c)).size;
  if (block.mark === "area" && isBand && (encoding.color === undefined || groups <= 3)) {
    for (const row of rows) Object.assign(row, { low: row.y === null ? 0 : row.y / 2, mid: row.y });
    encoding.y2 = { field: "low" };
    if (hasLine) encoding.line = { field: "mid", title: "Middle" };
  }
  const written = annotations.flatMap((one) => writeAnnotation(block, one) ?? []);
  return { ...block, encoding, ...(written.length > 0 && { annotations: written }) };
}

/** An annotation at values of rows; null for a band whose ends would be one, or would fall. */
function writeAnnotation(block: Block, { kind, axis, label, from, to }: Additions["annotations"][number]) {
  const rows = block.data.values;
  // Bars that lie have their names on y.
  const [names, values] =
    block.encoding.y?.type === "quantitative" ? (["x", "y"] as const) : (["y", "x"] as const);
  const known = rows.flatMap((row) => row[values] ?? []);
  const numbers = [from, to].map((at) => known[at % known.length] ?? 0);
  const places = [from, to].map((at) => rows[at % rows.length]?.[names]);
  if (kind === "point") return { point: { [names]: places[0], [values]: numbers[0] }, label };
  const [channel, ends] = axis === "x" ? [names, places] : [values, numbers];
  if (kind === "rule") return { rule: { [channel]: ends[0] }, label };
  const [low, high] = ends.map((end) => (axis === "x" ? placeOf(end, block, names) : Number(end)));
  return low !== undefined && high !== undefined && low < high ? { band: { [channel]: ends }, label } : null;
}

function placeOf(place: unknown, { data, encoding }: Block, names: "x" | "y"): number {
  const type = encoding[names]?.type;
  if (type === "temporal") return readChartTime(place)?.time ?? 0;
  if (type === "quantitative") return Number(place);
  return data.values.findIndex((row) => String(row[names]) === String(place));
}
