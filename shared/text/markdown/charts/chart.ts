/** A chart as drawn: a `chart` block, checked and with its positions worked out. */

import type { Grain } from "./chart-times.ts";

export const MARKS = ["bar", "line", "area", "point"] as const;
export const FIELD_TYPES = ["quantitative", "nominal", "ordinal", "temporal"] as const;

/** The channels of a block, and the members that each takes. */
export const CHANNEL_MEMBERS = {
  x: ["field", "type", "title", "scale", "axis", "sort"],
  y: ["field", "type", "title", "scale", "axis", "sort"],
  y2: ["field", "type", "title"],
  line: ["field", "type", "title"],
  color: ["field", "type", "title"],
  facet: ["field", "type", "title"],
} as const;

const CHANNELS = Object.keys(CHANNEL_MEMBERS) as Channel[];

/** The fields that a chart draws, of each of its channels. */
export function listDrawnFields(chart: Chart): string[] {
  return CHANNELS.flatMap((channel) => chart[channel]?.field ?? []);
}

/** The members of `scale` and `axis`. */
export const SCALE_MEMBERS = ["type", "zero", "domain"] as const;
export const SCALE_TYPES = ["linear", "log"] as const;
export const AXIS_MEMBERS = ["format", "unit"] as const;

export type Mark = (typeof MARKS)[number];
export type Channel = keyof typeof CHANNEL_MEMBERS;
export type FieldType = (typeof FIELD_TYPES)[number];

/** How numbers lie on an axis. */
export interface ChartScale {
  log: boolean;
  /** Whether the axis has zero; null where its values decide. */
  zero: boolean | null;
  /** Both ends of the axis; null where its values decide. */
  domain: readonly [low: number, high: number] | null;
}

/** The order of names: by their values, by themselves, or as listed. */
export type ChartSort = { by: "value" | "name"; descending: boolean } | { by: "list"; names: string[] };

/** What a block says about the look of a field beyond its title. */
export interface FieldLook {
  /** Of numbers. */
  scale: ChartScale;
  /** The d3 format of numbers, and what they count in. */
  format: string | null;
  unit: string | null;
  /** Of names; null keeps the order of the data. */
  sort: ChartSort | null;
}

/** The look of a field whose block says nothing about it. */
export const PLAIN_LOOK: Readonly<FieldLook> = {
  scale: { log: false, zero: null, domain: null },
  format: null,
  unit: null,
  sort: null,
};

/** One encoding; `title` is the field's name where the block gives none. */
export interface ChartField extends FieldLook {
  channel: Channel;
  field: string;
  type: FieldType;
  title: string;
}

export interface ChartRow {
  /** x as written: a number when quantitative, else text. */
  x: number | string;
  /** Where x lies: the number, UTC milliseconds of the time as written, or the index into `categories`. */
  at: number;
  /** Null where the value is missing: a gap, or no mark. */
  y: number | null;
  /** Of a band: its other end; null where the row has none, and in charts without bands. */
  y2: number | null;
  /** Of a band with a line over it: the line's value. */
  line: number | null;
  /** Index into `groups`; 0 without a colour field. */
  group: number;
  /** Index into `facets`; 0 without a facet field. */
  facet: number;
  /** The numbers of which a double loses digits, as they are written; left out where there is none. */
  long?: Partial<Record<"x" | "y" | "y2" | "line", string>>;
}

/** A value of an annotation: as written, and where it lies, as `at` or `y` of a row. */
export interface AnnotatedValue {
  written: number | string;
  at: number;
}

/** What an author marks in a chart: a line across it, a span of it, or a place in it. */
export interface Annotation {
  kind: "rule" | "band" | "point";
  label: string;
  /** The one value, or both ends, on the axis of `x`, and on that of the values; null where it does not lie on that. */
  x: [AnnotatedValue, AnnotatedValue] | null;
  y: [AnnotatedValue, AnnotatedValue] | null;
}

export interface Chart {
  mark: Mark;
  title: string | null;
  description: string | null;
  /** Whether bars lie: the block then has their names on its y and their values on its x. */
  horizontal: boolean;
  /** Where marks stand side by side: dates, numbers or names. */
  x: ChartField;
  /** The values. */
  y: ChartField;
  /** Of a chart of bands: the field of their other end. */
  y2: ChartField | null;
  /** The field of a line over the bands. */
  line: ChartField | null;
  color: ChartField | null;
  facet: ChartField | null;
  /** 1 to 500 rows in the order written. */
  rows: ChartRow[];
  /** Labels of a nominal or ordinal x in the order drawn; else empty. */
  categories: string[];
  /** Labels of the colour field in the order first seen, at most 8; empty without one. */
  groups: string[];
  /** Labels of the facet field in the order first seen, at most 24; empty without one. */
  facets: string[];
  /** At most 10. */
  annotations: Annotation[];
  /** The finest form in which a temporal x is written, else "day". */
  grain: Grain;
  /** Minutes that the clock of a temporal x is ahead of UTC; null where its rows name no zone. */
  zone: number | null;
}

/** Whether marks cover a span of values. */
export function isFilled({ mark }: Pick<Chart, "mark">): boolean {
  return mark === "bar" || mark === "area";
}

/** Whether the groups of bars or areas stand on each other. */
export function isStacked({ mark, color, y2 }: Pick<Chart, "mark" | "color" | "y2">): boolean {
  return isFilled({ mark }) && color !== null && y2 === null;
}

/** The values of annotations on one axis, which a scale must hold. */
export function listAnnotated(annotations: readonly Annotation[], axis: "x" | "y"): number[] {
  return annotations.flatMap((annotation) => annotation[axis]?.map(({ at }) => at) ?? []);
}

/** A chart for each facet, with its own rows and the names and colours of all. */
export function splitFacets(chart: Chart): Chart[] {
  if (chart.facet === null) return [chart];
  return chart.facets.map((_, facet) => ({
    ...chart,
    rows: chart.rows.filter((row) => row.facet === facet),
  }));
}

/** The indexes of the groups of a chart; a chart without colours is one group. */
export function listGroups({ groups }: Pick<Chart, "groups">): number[] {
  return [...Array(Math.max(1, groups.length)).keys()];
}

/** The rows of a group from left to right. */
export function listRows({ rows }: Pick<Chart, "rows">, group: number): ChartRow[] {
  return rows.filter((row) => row.group === group).sort((one, other) => one.at - other.at);
}

/** Whether a row has no mark: its value is missing, of a band one of both ends. */
export function lacksValue({ y2 }: Pick<Chart, "y2">, row: ChartRow): boolean {
  return row.y === null || (y2 !== null && row.y2 === null);
}

/** What a chart has where its block says nothing. */
export const BARE_CHART: Omit<Chart, "mark" | "x" | "y" | "rows"> = {
  title: null,
  description: null,
  horizontal: false,
  y2: null,
  line: null,
  color: null,
  facet: null,
  categories: [],
  groups: [],
  facets: [],
  annotations: [],
  grain: "day",
  zone: null,
};

/** One reason why a block cannot be drawn; `message` is a sentence that names the member itself. */
export interface ChartProblem {
  path: string;
  message: string;
}
