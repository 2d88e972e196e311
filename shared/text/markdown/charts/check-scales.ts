import { type SpannedRow, stackAreas, stackBars } from "../../charts/stack.ts";
import { type Chart, type ChartField, splitFacets } from "./chart.ts";
import type { ProblemList } from "./members.ts";

/** So much may sums of doubles miss a domain by, as a share of it. */
const TOLERANCE = 1e-9;

/**
 * Notes each row that the scale of its field cannot show: a value that a log scale has no place for, and one outside the
 * domain, where values that are stacked count summed. `numbers` are those of the rows, in their order.
 */
export function checkScales(chart: Chart, numbers: readonly number[], problems: ProblemList): void {
  const { x, y, rows } = chart;
  const note = (index: number, field: ChartField, value: number, sum = "") =>
    noteOutside((numbers[index] ?? 1) - 1, field, `${sum}${value}`, problems);
  if (x.type === "quantitative")
    for (const [index, { at }] of rows.entries()) if (!holds(x, at)) note(index, x, at);
  for (const { index, value, isSum, field } of listValues(chart))
    if (!holds(y, value)) note(index, { ...y, field: field.field }, value, isSum ? "a stack of " : "");
}

/** Whether the scale of a field has a place for a value. */
export function holds({ scale: { log, domain } }: Pick<ChartField, "scale">, value: number): boolean {
  if (log && value <= 0) return false;
  if (domain === null) return true;
  const slack = (domain[1] - domain[0]) * TOLERANCE;
  return value >= domain[0] - slack && value <= domain[1] + slack;
}

function noteOutside(index: number, field: ChartField, got: string, problems: ProblemList): void {
  const { channel, scale } = field;
  if (scale.log && scale.domain === null) {
    const mend = "leave the row out, or use a linear scale";
    problems.addOfRow(
      index,
      field.field,
      "not above 0",
      `must be above 0 on a log scale, got ${got}; ${mend}.`,
    );
    return;
  }
  const range = scale.domain?.join(" to ");
  const mend = `widen encoding.${channel}.scale.domain, or leave it out`;
  problems.addOfRow(index, field.field, "outside the domain", `must lie from ${range}, got ${got}; ${mend}.`);
}

/** A value that is drawn, its field, and the index of the row that it comes from. */
interface DrawnValue {
  index: number;
  field: ChartField;
  value: number;
  isSum: boolean;
}

function listValues(chart: Chart): DrawnValue[] {
  const { mark, color, rows, y, y2 } = chart;
  const isStacked = color !== null && y2 === null && (mark === "bar" || mark === "area");
  if (!isStacked)
    return rows.flatMap((row, index) =>
      (["y", "y2", "line"] as const).flatMap((name) => {
        const [field, value] = [chart[name], row[name]];
        return field === null || value === null ? [] : [{ index, field, value, isSum: false }];
      }),
    );
  const indexes = new Map(rows.map((row, index) => [row, index]));
  return splitFacets(chart)
    .flatMap((part) => (mark === "bar" ? stackBars(part, 1) : listLayers(part)))
    .map(({ row, base, top }) => ({
      ...{ index: indexes.get(row) ?? 0, field: y, value: top, isSum: base !== 0 },
    }));
}

/** The points of stacked areas. Between two rows of its own a layer has none: that of another group tells where it is. */
function listLayers(part: Chart): SpannedRow[] {
  const places = Map.groupBy(part.rows, ({ at }) => at);
  return stackAreas(part, 1).flatMap((layer, group) =>
    layer.flatMap((point) => {
      const there = point === null ? [] : (places.get(point.at) ?? []);
      const row = there.find((one) => one.group === group) ?? there[0];
      return point === null || row === undefined ? [] : [{ row, base: point.base, top: point.top }];
    }),
  );
}
