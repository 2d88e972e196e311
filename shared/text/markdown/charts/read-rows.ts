import { RawJson } from "../../../ground/raw-json.ts";
import type { Chart, ChartRow, FieldType } from "./chart.ts";
import { GRAINS, nameZone } from "./chart-times.ts";
import {
  askMeant,
  isObject,
  type JsonObject,
  joinPath,
  memberOf,
  type ProblemList,
  showValue,
} from "./members.ts";
import type { FieldReading, FieldReadings } from "./read-fields.ts";
import { type NoteProblem, readDate, readLabel, readNumber, type XReading } from "./read-values.ts";

/** The rows of a block as far as they could be read, with the labels in the order first seen. */
export type RowsReading = Pick<Chart, "categories" | "groups" | "facets" | "grain" | "zone"> & {
  rows: (ChartRow & { number: number })[];
};

/** The labels of no rows. */
export const NO_LABELS = {
  categories: [],
  groups: [],
  facets: [],
  grain: "year",
  zone: null,
} satisfies Partial<Chart>;

/** The most rows of a chart. */
export const MOST_ROWS = 500;

/** Reads the rows by the encodings and notes every problem in it. */
export function readRows(value: unknown, fields: FieldReadings, problems: ProblemList): RowsReading {
  const reading: RowsReading = { rows: [], ...NO_LABELS };
  const objects = readObjects(value, problems);
  for (const name of ["x", "y", "y2", "line", "color", "facet"] as const)
    checkFieldExists(fields[name], objects, problems);
  const labels = {
    categories: new Map<string, number>(),
    groups: new Map<string, number>(),
    facets: new Map<string, number>(),
  };
  const zones = keepZone(problems);
  for (const [index, row] of objects) {
    const cellOf = (field: FieldReading | null) => readCell(row, index, field, problems);
    const x = readX(cellOf(fields.x), labels.categories);
    if (x !== null && fields.x?.type === "temporal") zones(x.zone, index, fields.x.field);
    const y = readY(cellOf(fields.y));
    const y2 = fields.y2 && readY(cellOf(fields.y2));
    const line = fields.line && readY(cellOf(fields.line));
    const group = fields.color ? readGroup(cellOf(fields.color), "group for color", labels.groups) : 0;
    const facet = fields.facet ? readGroup(cellOf(fields.facet), "name for facet", labels.facets) : 0;
    if (x === null || y === undefined || y2 === undefined || line === undefined) continue;
    if (group === null || facet === null) continue;
    if (GRAINS.indexOf(x.grain) > GRAINS.indexOf(reading.grain)) reading.grain = x.grain;
    reading.zone ??= x.zone;
    reading.rows.push({
      x: x.x,
      at: x.at,
      y,
      y2,
      line,
      group,
      facet,
      ...findLong(row, fields),
      number: index + 1,
    });
  }
  reading.categories = [...labels.categories.keys()];
  reading.groups = [...labels.groups.keys()];
  reading.facets = [...labels.facets.keys()];
  return reading;
}

/** The numbers of a row of which a double loses digits. */
function findLong(row: JsonObject, fields: FieldReadings): Pick<ChartRow, "long"> {
  const long = (["x", "y", "y2", "line"] as const).flatMap((channel) => {
    const { field = null, type = null } = fields[channel] ?? {};
    const value = field !== null && type === "quantitative" ? memberOf(row, field) : null;
    return value instanceof RawJson ? [[channel, value.text]] : [];
  });
  return long.length === 0 ? {} : { long: Object.fromEntries(long) };
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
  const named = `${showValue(field)}${askMeant(field, names, (name) => joinPath("", name))}`;
  problems.add(`encoding.${reading.channel}.field`, `names ${named}, which no row has; ${have}.`);
  reading.field = null;
}

/** Notes each row whose times are of another zone than those of the first row. */
function keepZone(problems: ProblemList) {
  let first: { row: number; zone: number | null } | undefined;
  return (zone: number | null, index: number, field: string | null): void => {
    first ??= { row: index + 1, zone };
    if (zone === first.zone) return;
    const [own, its] = [zone, first.zone].map((one) =>
      one === null ? "no zone" : `the zone ${nameZone(one)}`,
    );
    problems.addOfRow(
      index,
      field,
      "another zone",
      `has ${own}, and row ${first.row} has ${its}; write all times of a field in one zone, or all without.`,
    );
  };
}

/** What a row has for an encoding. */
interface Cell extends Pick<FieldReading, "channel" | "type"> {
  /** Null where it is missing. */
  value: unknown;
  note: NoteProblem;
  /** Whether it is a cell of a file. */
  isAsked: boolean;
}

/** Null where the encoding names no field that rows have. */
function readCell(
  row: JsonObject,
  index: number,
  reading: FieldReading | null,
  problems: ProblemList,
): Cell | null {
  if (reading === null || reading.field === null) return null;
  const { channel, type, field } = reading;
  const note: NoteProblem = (kind, reason) => problems.addOfRow(index, field, kind, reason);
  const isAsked = problems.rowsPath === "data.from";
  return { channel, type, value: memberOf(row, field) ?? null, note, isAsked };
}

function readX(cell: Cell | null, categories: Map<string, number>): XReading | null {
  if (cell === null || cell.type === null) return null;
  const { channel, type, value, note } = cell;
  if (value === null) return noteMissing(cell, describeX(type), ` for ${channel}`);
  if (type === "quantitative") {
    const number = readNumber(value, note);
    return number === null ? null : { x: number, at: number, ...TIMELESS };
  }
  if (type === "temporal") return readDate(value, note);
  const label = readLabel(value, note);
  return label === null ? null : { x: label, at: numberLabel(label, categories), ...TIMELESS };
}

function describeX(type: FieldType): string {
  return type === "quantitative" ? "a number" : type === "temporal" ? "a date" : "a label";
}

const TIMELESS = { grain: "year", zone: null } as const;

/** Null for a missing value, undefined where its problem is noted. */
function readY(cell: Cell | null): number | null | undefined {
  if (cell === null) return undefined;
  return cell.value === null ? null : (readNumber(cell.value, cell.note, cell.isAsked) ?? undefined);
}

function readGroup(cell: Cell | null, what: string, groups: Map<string, number>): number | null {
  if (cell === null) return null;
  if (cell.value === null) return noteMissing(cell, `a ${what}`);
  const label = readLabel(cell.value, cell.note);
  return label === null ? null : numberLabel(label, groups);
}

/** Says of a cell that it must not be missing, and of one that was asked for how blank ones are left out. */
function noteMissing({ note, isAsked }: Cell, needed: string, place = ""): null {
  const way = isAsked
    ? " A filter of that column with the op ne, and without a value, leaves blank cells out."
    : "";
  note(`no ${needed}`, `is missing; every row needs ${needed}${place}.${way}`);
  return null;
}

function numberLabel(label: string, labels: Map<string, number>): number {
  const known = labels.get(label);
  if (known !== undefined) return known;
  labels.set(label, labels.size);
  return labels.size - 1;
}
