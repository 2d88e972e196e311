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
  /** Index into `groups`; 0 without a colour field. */
  group: number;
}

export interface Chart {
  mark: Mark;
  title: string | null;
  description: string | null;
  x: ChartField;
  y: ChartField;
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

/** One reason why a block cannot be drawn; `message` is a sentence that names the member itself. */
export interface ChartProblem {
  path: string;
  message: string;
}
