import { countNoun } from "../../ground/text.ts";
import { quoteCsvText } from "../../tables/rows/text-rows.ts";
import { isolate, isolateIfNeeded } from "../drawing/svg.ts";
import { type Chart, type ChartRow, lacksValue } from "../markdown/charts/chart.ts";
import { nameLabel } from "./frame.ts";

const NAMES = { bar: "Bar chart", line: "Line chart", area: "Area chart", point: "Point chart" } as const;

/** The name of a chart for readers who do not see it: its title, or a description of its fields. */
export function nameChart(chart: Chart): string {
  if (chart.title !== null) return chart.title;
  return `${nameKind(chart)}: ${nameSubject(chart)}`;
}

function nameKind({ mark, y2 }: Chart): string {
  return y2 === null ? NAMES[mark] : "Band chart";
}

function nameSubject(chart: Chart): string {
  return `${isolate(nameValues(chart))} by ${isolate(chart.x.title)}`;
}

/** The name of the axis of values: of bands both ends where both are named, and the line over them. */
export function nameValues({ y, y2, line }: Chart): string {
  const isNamed = y2 !== null && y2.title !== y2.field && y2.title !== y.title;
  const name = isNamed ? `${y2.title} to ${y.title}` : y.title;
  return line === null ? name : `${name}; line: ${line.title}`;
}

/** A description of a chart in sentences: the given one, then kind, size and the range of its values. */
export function describeChart(chart: Chart): string {
  const drawn = chart.rows.flatMap(({ y, y2, line }) => [y, y2, line].filter((value) => value !== null));
  const low = Math.min(...drawn);
  const high = Math.max(...drawn);
  const groups =
    chart.color === null
      ? ""
      : `, ${countNoun(chart.groups.length, "group")} by ${isolate(chart.color.title)}`;
  const range = low === high ? `is ${low}` : `runs from ${low} to ${high}`;
  const values = chart.y2 === null ? `${isolate(chart.y.title)} ${range}` : `it ${range}`;
  const facts = `${nameKind(chart)} of ${nameSubject(chart)}${groups}, ${countNoun(chart.rows.length, "row")}; ${values}.`;
  return chart.description === null ? facts : `${isolate(chart.description)} ${facts}`;
}

/** Whether a chart has groups to be named: with colours, unless x names them already. */
export function hasGroupNames({ color, x }: Chart): boolean {
  return color !== null && color.field !== x.field;
}

/** The data of a chart as a table; null is a blank. */
export type ChartTable = ReturnType<typeof tableOfChart>;

/** Every row of a chart as written: x, the group where it is not x itself, y, and of bands their other end and line. */
export function tableOfChart(chart: Chart) {
  const { x, y, y2, line, color } = chart;
  const grouped = hasGroupNames(chart);
  const over = (["y2", "line"] as const).filter((name) => chart[name] !== null);
  const fields = [x, grouped ? color : null, y, y2, line].filter((field) => field !== null);
  return {
    caption: chart.title ?? `${nameValues(chart)} by ${x.title}`,
    columns: fields.map(({ title, type }) => ({ name: title, figures: type === "quantitative" })),
    /** The field of each column. */
    fields: fields.map(({ field }) => field),
    rows: chart.rows.map((row) => [
      String(row.x),
      ...(grouped ? [chart.groups[row.group] ?? ""] : []),
      ...(["y", ...over] as const).map((name) => writeValue(row[name])),
    ]),
  };
}

function writeValue(value: number | null): string | null {
  return value === null ? null : String(value);
}

const MOST_MISSING = 10;

/** "No value: Bremen, 2026-03.", for readers who do not see a gap: up to ten rows, then their number. */
export function describeMissing(chart: Chart): string[] {
  const { line } = chart;
  const sayOf = (what: string, lacks: (row: ChartRow) => boolean): string[] => {
    const names = chart.rows.filter(lacks).map((row) => nameRow(chart, row));
    const [shown, more] = [names.slice(0, MOST_MISSING), names.length - MOST_MISSING];
    return names.length === 0
      ? []
      : [`No ${what}: ${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}.`];
  };
  return [
    ...sayOf("value", (row) => lacksValue(chart, row)),
    ...(line === null ? [] : sayOf(`value of ${isolateIfNeeded(line.title)}`, (row) => row.line === null)),
  ];
}

/** A row by what tells it from others: its group, and x. */
function nameRow(chart: Chart, row: ChartRow): string {
  const names = [...(hasGroupNames(chart) ? [chart.groups[row.group] ?? ""] : []), String(row.x)];
  return names.map((name) => isolateIfNeeded(nameLabel(name))).join(", ");
}

/**
 * The rows of a chart as CSV (RFC 4180): those of the table beside it, under the names of the fields. A field that two
 * encodings use is one column.
 */
export function writeChartCsv(chart: Chart): string {
  const { fields, rows } = tableOfChart(chart);
  const kept = fields.flatMap((field, index) => (fields.indexOf(field) === index ? [index] : []));
  const lines = [fields, ...rows].map((cells) => kept.map((index) => writeCell(cells[index])).join(","));
  return lines.map((line) => `${line}\r\n`).join("");
}

/** A blank cell has no quotes, as in every export. */
function writeCell(cell: string | null | undefined): string {
  return cell === null || cell === undefined || cell === "" ? "" : quoteCsvText(cell);
}
