import { countNoun } from "../../ground/text.ts";
import { compareDecimals } from "../../tables/rows/decimal.ts";
import { quoteCsvText } from "../../tables/rows/text-rows.ts";
import { isolate, isolateIfNeeded } from "../drawing/svg.ts";
import {
  type Annotation,
  type Chart,
  type ChartField,
  type ChartRow,
  lacksValue,
} from "../markdown/charts/chart.ts";
import { noteTimes, sayNumber, sayX } from "./field-words.ts";
import { nameLabel } from "./frame.ts";
import { listAboveGaps } from "./stack.ts";

const LINE = ["line"] as const;
const VALUES = ["y", "y2", ...LINE] as const;
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

/** The same with the kinds of scales and what written times leave out. */
function describeSubject(chart: Chart): string {
  const [ofX, ofY] = [chart.x.scale.log, chart.y.scale.log].map((log) => (log ? " (log scale)" : ""));
  return `${isolate(nameValues(chart))}${ofY} by ${isolate(chart.x.title)}${ofX}${noteTimes(chart)}`;
}

/** The name of the axis of values: of bands both ends where both are named, and the line over them. */
export function nameValues(chart: Chart): string {
  const name = nameEnds(chart);
  return chart.line === null ? name : `${name}; line: ${chart.line.title}`;
}

function nameEnds({ y, y2 }: Chart): string {
  const isNamed = y2 !== null && y2.title !== y2.field && y2.title !== y.title;
  return isNamed ? `${y2.title} to ${y.title}` : y.title;
}

/** A description of a chart in sentences: the given one, then kind, size and the range of its values. */
export function describeChart(chart: Chart): string {
  const drawn = listDrawn(chart);
  const low = drawn[0] ?? "0";
  const high = drawn.at(-1) ?? low;
  const { color, facet } = chart;
  const groups =
    color === null ? "" : `, ${countNoun(chart.groups.length, "group")} by ${isolate(color.title)}`;
  const facets =
    facet === null ? "" : `, ${countNoun(chart.facets.length, "small chart")} by ${isolate(facet.title)}`;
  const sayBy = (field: ChartField) => (written: string) => sayNumber(field, Number(written), written);
  // A format that writes two numbers alike would hide what the drawing shows: its ticks go without it, too.
  const isHidden = low !== high && sayBy(chart.y)(low) === sayBy(chart.y)(high);
  const say = sayBy(isHidden ? { ...chart.y, format: null } : chart.y);
  const range = low === high ? `is ${say(low)}` : `runs from ${say(low)} to ${say(high)}`;
  const values = chart.y2 === null ? `${isolate(chart.y.title)} ${range}` : `it ${range}`;
  const facts = `${nameKind(chart)} of ${describeSubject(chart)}${groups}${facets}, ${countNoun(chart.rows.length, "row")}; ${values}.`;
  const sentences = [facts, ...describeAnnotations(chart)].join(" ");
  return chart.description === null ? sentences : `${isolate(chart.description)} ${sentences}`;
}

/** The numbers that marks show, as they are written, from the smallest to the largest. */
function listDrawn(chart: Chart): string[] {
  const ends = (row: ChartRow) => (lacksValue(chart, row) ? LINE : VALUES);
  return chart.rows
    .flatMap((row) => ends(row).flatMap((name) => row.long?.[name] ?? writeValue(row[name]) ?? []))
    .sort(compareDecimals);
}

/** "Marked: Target (Metres 40).", for readers who do not see the drawing; nothing where an author marks nothing. */
export function describeAnnotations(chart: Chart): string[] {
  const marked = chart.annotations.map((annotation) => describeAnnotation(chart, annotation));
  return marked.length === 0 ? [] : [`Marked: ${marked.join("; ")}.`];
}

/** An annotation in words: its label, and where it lies. */
export function describeAnnotation(chart: Chart, { label, x, y }: Annotation): string {
  const say = (title: string, ends: Annotation["x"], sayOne: (written: number | string) => string) => {
    if (ends === null) return [];
    const [from, to] = ends.map(({ written }) => isolateIfNeeded(sayOne(written)));
    return [`${isolateIfNeeded(title)} ${from === to ? from : `${from} to ${to}`}`];
  };
  const places = [
    ...say(chart.x.title, x, (written) => sayX(chart, written)),
    ...say(nameEnds(chart), y, (written) => sayNumber(chart.y, Number(written))),
  ];
  return `${isolateIfNeeded(label)} (${places.join(", ")})`;
}

/** Whether a chart has groups to be named: with colours, unless x or the facets name them already. */
export function hasGroupNames({ color, x, facet }: Chart): boolean {
  return color !== null && color.field !== x.field && color.field !== facet?.field;
}

/** The data of a chart as a table; null is a blank. */
export type ChartTable = ReturnType<typeof tableOfChart>;

/** Every row of a chart as written: its facet, x, the group where it is not x itself, y, and of bands their other end and line. */
export function tableOfChart(chart: Chart) {
  const { x, y, y2, line, color, facet } = chart;
  const grouped = hasGroupNames(chart);
  const over = (["y2", "line"] as const).filter((name) => chart[name] !== null);
  const fields = [facet, x, grouped ? color : null, y, y2, line].filter((field) => field !== null);
  return {
    caption: chart.title ?? `${nameValues(chart)} by ${x.title}`,
    columns: fields.map(({ title, type }) => ({ name: title, figures: type === "quantitative" })),
    /** The field of each column. */
    fields: fields.map(({ field }) => field),
    rows: chart.rows.map((row) => [
      ...(facet === null ? [] : [chart.facets[row.facet] ?? ""]),
      row.long?.x ?? String(row.x),
      ...(grouped ? [chart.groups[row.group] ?? ""] : []),
      ...(["y", ...over] as const).map((name) => row.long?.[name] ?? writeValue(row[name])),
    ]),
  };
}

function writeValue(value: number | null): string | null {
  return value === null ? null : String(value);
}

const MOST_MISSING = 10;

/**
 * "No value: Bremen, 2026-03.", for readers who do not see a gap: up to ten rows, then their number. What a stack leaves
 * out above a gap is said too.
 */
export function describeMissing(chart: Chart): string[] {
  const { line } = chart;
  const say = (what: string, rows: readonly ChartRow[]): string[] => {
    const names = rows.map((row) => nameRow(chart, row));
    const [shown, more] = [names.slice(0, MOST_MISSING), names.length - MOST_MISSING];
    return names.length === 0 ? [] : [`${what}: ${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}.`];
  };
  const lacking = chart.rows.filter((row) => lacksValue(chart, row));
  const unlined = chart.rows.filter((row) => row.line === null);
  return [
    ...say("No value", lacking),
    ...(line === null ? [] : say(`No value of ${isolateIfNeeded(line.title)}`, unlined)),
    ...say("Not drawn above a gap", listAboveGaps(chart)),
  ];
}

/** A row by what tells it from others: its facet, its group, and x. */
function nameRow(chart: Chart, row: ChartRow): string {
  const names = [
    ...(chart.facet === null ? [] : [chart.facets[row.facet] ?? ""]),
    ...(hasGroupNames(chart) ? [chart.groups[row.group] ?? ""] : []),
    row.long?.x ?? String(row.x),
  ];
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
