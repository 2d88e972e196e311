import { stackAreas, stackBars } from "../../charts/stack.ts";
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
  for (const { index, value, isSum, field = y } of listValues(chart))
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

/** The values that are drawn, each with the index of the row that it comes from. */
function listValues(chart: Chart): { index: number; value: number; isSum: boolean; field?: ChartField }[] {
  const { mark, color, rows, y2 } = chart;
  if (y2 !== null) {
    const channels = (["y", "y2", "line"] as const).flatMap((name) => {
      const field = chart[name];
      return field === null ? [] : [{ name, field }];
    });
    return rows.flatMap((row, index) =>
      channels.flatMap(({ name, field }) => {
        const value = row[name];
        return value === null ? [] : [{ index, value, isSum: false, field }];
      }),
    );
  }
  if (color === null || mark === "line" || mark === "point")
    return rows.flatMap(({ y }, index) => (y === null ? [] : [{ index, value: y, isSum: false }]));
  const indexes = new Map(rows.map((row, index) => [row, index]));
  if (mark === "bar")
    return splitFacets(chart)
      .flatMap((part) => stackBars(part, 1))
      .map(({ row, base, top }) => ({
        ...{ index: indexes.get(row) ?? 0, value: top, isSum: base !== 0 },
      }));
  // Between two rows of its own a layer has no row: that of another group at this place tells where it is.
  const first = new Map(rows.toReversed().map((row) => [row.at, indexes.get(row) ?? 0]));
  return splitFacets(chart)
    .flatMap((part) => stackAreas(part, 1))
    .flatMap((layer) =>
      layer.flatMap((point) =>
        point === null
          ? []
          : [{ index: first.get(point.at) ?? 0, value: point.top, isSum: point.base !== 0 }],
      ),
    );
}
