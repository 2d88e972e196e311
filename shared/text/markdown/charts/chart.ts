/** A chart as drawn: a `chart` block, checked and with its positions worked out. */

export const MARKS = ["bar", "line", "area", "point"] as const;
export const FIELD_TYPES = ["quantitative", "nominal", "ordinal", "temporal"] as const;

export type Mark = (typeof MARKS)[number];
export type FieldType = (typeof FIELD_TYPES)[number];

/** One encoding; `title` is the field's name where the block gives none. */
export interface ChartField {
  field: string;
  type: FieldType;
  title: string;
}

/** Finest form that the dates of a chart are written in. */
export type DateGrain = "year" | "month" | "day";

export interface ChartRow {
  /** x as written: a number when quantitative, else text. */
  x: number | string;
  /** Where x lies: the number, UTC milliseconds of the date, or the index into `categories`. */
  at: number;
  /** Null where the value is missing: a gap, or no mark. */
  y: number | null;
  /** Of a band: its other end; null where the row has none, and in charts without bands. */
  y2: number | null;
  /** Of a band with a line over it: the line's value. */
  line: number | null;
  /** Index into `groups`; 0 without a colour field. */
  group: number;
}

export interface Chart {
  mark: Mark;
  title: string | null;
  description: string | null;
  x: ChartField;
  y: ChartField;
  /** Of a chart of bands: the field of their other end. */
  y2: ChartField | null;
  /** The field of a line over the bands. */
  line: ChartField | null;
  color: ChartField | null;
  /** 1 to 500 rows in the order written. */
  rows: ChartRow[];
  /** Labels of a nominal or ordinal x in the order first seen; else empty. */
  categories: string[];
  /** Labels of the colour field in the order first seen, at most 8; empty without one. */
  groups: string[];
  /** Of a temporal x, else "day". */
  grain: DateGrain;
}

/** Whether a row has no mark: its value is missing, of a band one of both ends. */
export function lacksValue({ y2 }: Pick<Chart, "y2">, row: ChartRow): boolean {
  return row.y === null || (y2 !== null && row.y2 === null);
}

/** One reason why a block cannot be drawn; `message` is a sentence that names the member itself. */
export interface ChartProblem {
  path: string;
  message: string;
}

/** A date of a chart: UTC milliseconds at its start, and the form it is written in. */
interface ChartDate {
  time: number;
  grain: DateGrain;
}

const FORM = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/;

/**
 * Reads year-month-day, year-month or year (specification, "Charts and diagrams"), a year also as a number; null
 * for any other form and for dates that no calendar has, such as 30 February or year 0.
 */
export function readChartDate(value: unknown): ChartDate | null {
  const text = typeof value === "number" ? writeYear(value) : value;
  const match = typeof text === "string" ? FORM.exec(text) : null;
  if (match === null) return null;
  const [, year = "", month, day] = match;
  const time = timeOf(Number(year), Number(month ?? 1), Number(day ?? 1));
  if (time === null) return null;
  return { time, grain: day !== undefined ? "day" : month !== undefined ? "month" : "year" };
}

function writeYear(year: number): string | null {
  return Number.isInteger(year) && year > 0 && year < 10_000 ? String(year).padStart(4, "0") : null;
}

function timeOf(year: number, month: number, day: number): number | null {
  // Date.UTC takes years below 100 for 19xx; setUTCFullYear does not.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.getTime() : null;
}
