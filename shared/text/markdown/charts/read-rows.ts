import { RawJson } from "../../../ground/raw-json.ts";
import { findLabelFault } from "../../../ground/text.ts";
import { type Chart, type ChartRow, type DateGrain, type FieldType, readChartDate } from "./chart.ts";
import { isObject, type JsonObject, joinPath, memberOf, type ProblemList, showValue } from "./members.ts";
import type { FieldReading, FieldReadings } from "./read-fields.ts";

/** The rows of a block as far as they could be read, with the labels in the order first seen. */
export type RowsReading = Pick<Chart, "categories" | "groups" | "grain"> & {
  rows: (ChartRow & { number: number })[];
};

/** The most rows of a chart. */
export const MOST_ROWS = 500;
const GRAINS: readonly DateGrain[] = ["year", "month", "day"];

/** Reads the rows by the encodings and notes every problem in it. */
export function readRows(value: unknown, fields: FieldReadings, problems: ProblemList): RowsReading {
  const reading: RowsReading = { rows: [], categories: [], groups: [], grain: "year" };
  const objects = readObjects(value, problems);
  for (const name of ["x", "y", "y2", "line", "color"] as const)
    checkFieldExists(name, fields[name], objects, problems);
  const labels = { categories: new Map<string, number>(), groups: new Map<string, number>() };
  for (const [index, row] of objects) {
    const x = readX(row, index, fields.x, labels.categories, problems);
    const y = readY(row, index, fields.y, problems);
    const y2 = fields.y2 && readY(row, index, fields.y2, problems);
    const line = fields.line && readY(row, index, fields.line, problems);
    const group = readGroup(row, index, fields.color, labels.groups, problems);
    if (x === null || y === undefined || y2 === undefined || line === undefined || group === null) continue;
    if (GRAINS.indexOf(x.grain) > GRAINS.indexOf(reading.grain)) reading.grain = x.grain;
    reading.rows.push({ x: x.x, at: x.at, y, y2, line, group, number: index + 1 });
  }
  reading.categories = [...labels.categories.keys()];
  reading.groups = [...labels.groups.keys()];
  return reading;
}

type NumberedObject = [index: number, row: JsonObject];

function readObjects(value: unknown, problems: ProblemList): NumberedObject[] {
  if (!Array.isArray(value)) {
    const got = value === undefined ? "is missing; write" : `must be a list, got ${showValue(value)}; write`;
    problems.add(
      "data.values",
      `${got} 1 to ${MOST_ROWS} objects, such as [{"month": "2026-01", "sales": 12}].`,
    );
    return [];
  }
  const path = problems.rowsPath;
  if (value.length === 0) problems.add(path, `must hold 1 to ${MOST_ROWS} rows, got none.`);
  if (value.length > MOST_ROWS) {
    problems.add(
      path,
      `must hold 1 to ${MOST_ROWS} rows, got ${value.length}; sum them up or leave some out.`,
    );
    return [];
  }
  const objects: NumberedObject[] = [];
  for (const [index, row] of value.entries()) {
    if (isObject(row)) objects.push([index, row]);
    else problems.addOfRow(index, null, "no object", `must be an object, got ${showValue(row)}.`);
  }
  return objects;
}

const MOST_NAMES = 12;

/** Notes a wrong name as one problem, not as one for each row. */
function checkFieldExists(
  channel: keyof FieldReadings,
  reading: FieldReading | null,
  objects: readonly NumberedObject[],
  problems: ProblemList,
): void {
  const field = reading?.field;
  if (reading === null || field === null || field === undefined || objects.length === 0) return;
  if (objects.some(([, row]) => Object.hasOwn(row, field))) return;
  const names = Object.keys(objects[0]?.[1] ?? {});
  const shown = names.slice(0, MOST_NAMES).map((name) => joinPath("", name));
  const more = names.length > MOST_NAMES ? " and others" : "";
  const have = shown.length === 0 ? "the first row is empty" : `the first row has ${shown.join(", ")}${more}`;
  problems.add(`encoding.${channel}.field`, `names ${showValue(field)}, which no row has; ${have}.`);
  reading.field = null;
}

interface XReading {
  x: number | string;
  at: number;
  grain: DateGrain;
}

function readX(
  row: JsonObject,
  index: number,
  reading: FieldReading | null,
  categories: Map<string, number>,
  problems: ProblemList,
): XReading | null {
  if (reading === null || reading.field === null || reading.type === null) return null;
  const { field, type } = reading;
  const value = memberOf(row, field);
  if (value === undefined || value === null) {
    problems.addOfRow(
      index,
      field,
      `no ${describeX(type)}`,
      `is missing; every row needs ${describeX(type)} for x.`,
    );
    return null;
  }
  if (type === "quantitative") {
    const number = readNumber(value, index, field, problems);
    return number === null ? null : { x: number, at: number, grain: "year" };
  }
  if (type === "temporal") return readDate(value, index, field, problems);
  const label = readLabel(value, index, field, problems);
  return label === null ? null : { x: label, at: numberLabel(label, categories), grain: "year" };
}

function describeX(type: FieldType): string {
  return type === "quantitative" ? "a number" : type === "temporal" ? "a date" : "a label";
}

/** What begins as a date and goes on as none, and times alone: `by` of a question makes hours, weeks and quarters. */
const OTHER_TIMES = /^(?:\d{4}-(?:W\d|Q\d|\d\d-\d\d[T ])|\d{1,2}:\d)/;

function readDate(value: unknown, index: number, field: string, problems: ProblemList): XReading | null {
  const date = readChartDate(value);
  if (date !== null) return { x: String(value), at: date.time, grain: date.grain };
  const forms = 'a real date written as "2026-03-31", "2026-03" or "2026"';
  const isOther = typeof value === "string" && OTHER_TIMES.test(value);
  const mend = isOther ? '; times of day, weeks and quarters are labels: write "type": "ordinal"' : "";
  problems.addOfRow(index, field, "no date", `must be ${forms}, got ${showValue(value)}${mend}.`);
  return null;
}

function readNumber(sent: unknown, index: number, field: string, problems: ProblemList): number | null {
  const value = sent instanceof RawJson ? Number(sent.text) : sent;
  // Adding 0 turns -0 into 0.
  if (typeof value === "number" && Number.isFinite(value)) return value + 0;
  const quoted = typeof value === "string" && /^\s*[-+]?[\d.,]+%?\s*$/.test(value);
  const mend = quoted ? "; write it as a plain number without quotes" : "";
  problems.addOfRow(
    index,
    field,
    "no finite number",
    `must be a finite number, got ${showValue(value)}${mend}.`,
  );
  return null;
}

/** Null for a missing value, undefined where its problem is noted. */
function readY(
  row: JsonObject,
  index: number,
  reading: FieldReading | null,
  problems: ProblemList,
): number | null | undefined {
  if (reading === null || reading.field === null) return undefined;
  const value = memberOf(row, reading.field);
  if (value === undefined || value === null) return null;
  return readNumber(value, index, reading.field, problems) ?? undefined;
}

function readGroup(
  row: JsonObject,
  index: number,
  reading: FieldReading | null,
  groups: Map<string, number>,
  problems: ProblemList,
): number | null {
  if (reading === null) return 0;
  if (reading.field === null) return null;
  const value = memberOf(row, reading.field);
  if (value === undefined || value === null) {
    problems.addOfRow(index, reading.field, "no group", "is missing; every row needs a group for color.");
    return null;
  }
  const label = readLabel(value, index, reading.field, problems);
  return label === null ? null : numberLabel(label, groups);
}

function readLabel(sent: unknown, index: number, field: string, problems: ProblemList): string | null {
  const value = sent instanceof RawJson ? sent.text : sent;
  if (typeof value === "object") {
    problems.addOfRow(
      index,
      field,
      "no label",
      `must be a text, a number, true or false, got ${showValue(value)}.`,
    );
    return null;
  }
  const label = String(value);
  const fault = findLabelFault(label);
  if (fault === null && label !== "Infinity" && label !== "-Infinity") return label;
  if (fault === null && typeof value === "string") return label;
  problems.addOfRow(index, field, "no label", `${fault ?? "must be a finite number or a text"}.`);
  return null;
}

function numberLabel(label: string, labels: Map<string, number>): number {
  const known = labels.get(label);
  if (known !== undefined) return known;
  labels.set(label, labels.size);
  return labels.size - 1;
}
