import { findNearestName } from "../../../ground/nearest-name.ts";
import { keepDigits, RawJson } from "../../../ground/raw-json.ts";
import { clipText, countCodePoints, findLabelFault, joinWords } from "../../../ground/text.ts";
import { isExactDouble } from "../../../tables/rows/decimal.ts";
import type { ChartProblem } from "./chart.ts";

/** A JSON object; its own members only, whatever their names. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object and no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof RawJson);
}

/** A reviver of JSON: a number that no double holds, such as a long identifier, stays as it is written. */
export function keepLongNumber(name: string, value: unknown, context?: { source?: string }): unknown {
  const kept = keepDigits(name, value, context);
  return kept instanceof RawJson ? readLongNumber(kept.text) : value;
}

/** A number as a double, or as it is written where a double loses digits of it. */
export function readLongNumber(text: string): number | RawJson {
  const value = Number(text);
  return Number.isFinite(value) && !isExactDouble(text) ? new RawJson(text) : value;
}

/** The object's own member; `constructor` and the like are ordinary names. */
export function memberOf(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

const SPLIT = "draw each part as a chart block of its own";
/** Where the name of an axis stands. */
export const TITLE = "write title beside field";
const FACET = 'write encoding.facet: {"field": …, "type": "nominal"}';
const SIDE = `bars of one name stack; for bars side by side ${FACET}`;
const OF_Y = "that of encoding.y holds for it";
const MENDS = new Map([
  ["data.url", "put the rows themselves into data.values; nothing is loaded from an address"],
  ["transform", "compute the values before and put the results into data.values"],
  ["layer", SPLIT],
  ["concat", SPLIT],
  ["hconcat", SPLIT],
  ["vconcat", SPLIT],
  ["facet", FACET],
  ["repeat", SPLIT],
  ["encoding.x.axis.title", TITLE],
  ["encoding.y.axis.title", TITLE],
  ["encoding.x2", "bars begin at 0, and bands run from y2 to y"],
  ["encoding.xOffset", SIDE],
  ["encoding.yOffset", SIDE],
  ["encoding.row", FACET],
  ["encoding.column", FACET],
  ["encoding.color.scale", "every group has its own colour"],
  ["encoding.color.sort", "groups keep the order of data.values"],
  ["encoding.facet.sort", "small charts keep the order of data.values"],
  ...["y2", "line"].flatMap((channel) => [
    [`encoding.${channel}.scale`, OF_Y] as const,
    [`encoding.${channel}.axis`, OF_Y] as const,
  ]),
]);
const CHANNEL_MENDS = new Map([
  ["aggregate", "compute the figures before and put them into data.values"],
  ["bin", "put the bins into data.values, one row each"],
  ["timeUnit", "write the dates in the form you want, such as 2026-03, 2026-W14 or 2026-Q1"],
  ["stack", "bars and areas with a color field stack by themselves; for shares put them into data.values"],
]);
const MOST_UNKNOWN = 20;

/** How an object is read: the members that it may have beside the allowed ones, and those that it must have. */
interface ObjectRules {
  ignored?: readonly string[];
  needed?: readonly string[];
  problems: ProblemList;
}

/** The member as an object with known members only, or null with the problems noted. */
export function readObject(
  value: unknown,
  path: string,
  allowed: readonly string[],
  { ignored = [], needed = allowed, problems }: ObjectRules,
): JsonObject | null {
  if (!isObject(value)) {
    const got = value === undefined ? "is missing" : `must be an object, got ${showValue(value)}`;
    problems.add(
      path === "" ? "The chart" : path,
      `${got}; write {${needed.map((name) => `"${name}": …`).join(", ")}}.`,
    );
    return null;
  }
  const unknown = Object.keys(value).filter((name) => !allowed.includes(name) && !ignored.includes(name));
  const missing = allowed.filter((name) => !Object.hasOwn(value, name));
  for (const name of unknown.slice(0, MOST_UNKNOWN)) {
    const member = joinPath(path, name);
    const mend = MENDS.get(member) ?? (path.startsWith("encoding.") ? CHANNEL_MENDS.get(name) : undefined);
    const remark = mend === undefined ? askMeant(name, missing) : ` (${mend})`;
    problems.add(member, `is not accepted${remark}; allowed here: ${allowed.join(", ")}.`);
  }
  if (unknown.length > MOST_UNKNOWN) {
    const place = path === "" ? "The chart" : path;
    problems.add(place, `has ${unknown.length - MOST_UNKNOWN} more members that are not accepted.`);
  }
  return value;
}

/** Asks for the nearest of some names, in brackets behind a misspelt one; empty where none is near. */
export function askMeant(name: string, known: readonly string[], show = (one: string) => one): string {
  const nearest = findNearestName(name, known);
  return nearest === null ? "" : ` (did you mean ${show(nearest)}?)`;
}

/** The member as one of the names, or null with the problem noted. */
export function readChoice<Name extends string>(
  value: unknown,
  path: string,
  names: readonly Name[],
  problems: ProblemList,
): Name | null {
  const found = names.find((name) => name === value);
  if (found !== undefined) return found;
  if (value === undefined) problems.add(path, `is missing; write ${joinWords(names, "or")}.`);
  else {
    const meant = typeof value === "string" && names.length > 1 ? askMeant(value, names) : "";
    problems.add(path, `must be ${joinWords(names, "or")}, got ${showValue(value)}${meant}.`);
  }
  return null;
}

/** The member as trimmed text up to a limit of code points; null when it is left out, empty or refused. */
export function readText(
  value: unknown,
  path: string,
  { limit, problems }: { limit?: number; problems: ProblemList },
): string | null {
  if (value === undefined) return null;
  if (typeof value !== "string") {
    problems.add(path, `must be a text, got ${showValue(value)}; write it in double quotes or leave it out.`);
    return null;
  }
  const fault = findLabelFault(value);
  if (fault !== null) problems.add(path, `${fault}.`);
  const text = value.trim();
  const length = countCodePoints(text);
  if (limit !== undefined && length > limit) {
    problems.add(path, `must have at most ${limit} characters, got ${length}; shorten it.`);
  }
  return text === "" ? null : text;
}

/** Collects the problems of one block. */
export type ProblemList = ReturnType<typeof createProblemList>;

const MOST_OF_A_KIND = 10;
const MOST_NAME_CHARACTERS = 40;
const PLAIN_NAME = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** Starts an empty list. */
export function createProblemList(rowsPath = "data.values") {
  const problems: ChartProblem[] = [];
  const counts = new Map<string, number>();
  return {
    /** The member that holds the rows: `data.values`, or `data.from` where a question finds them. */
    rowsPath,
    /** Notes a problem of a member: "<path> <reason>". */
    add: (path: string, reason: string) => problems.push({ path, message: `${path} ${reason}` }),
    /** Notes a problem of a row; after the first ten of a kind only their number is reported. */
    addOfRow: (row: number, field: string | null, kind: string, reason: string) => {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      if (count > MOST_OF_A_KIND) return;
      const path = field === null ? `${rowsPath}[${row}]` : joinPath(`${rowsPath}[${row}]`, field);
      problems.push({ path, message: `${path} (row ${row + 1}) ${reason}` });
    },
    /** All of them in the order found, those of rows cut short last. */
    finish: () => [...problems, ...countSurplus(counts, rowsPath)],
  };
}

function countSurplus(counts: ReadonlyMap<string, number>, rowsPath: string): ChartProblem[] {
  return Array.from(counts, ([kind, count]) => ({ kind, more: count - MOST_OF_A_KIND }))
    .filter(({ more }) => more > 0)
    .map(({ kind, more }) => ({
      path: rowsPath,
      message: `${rowsPath}: ${more} more ${more === 1 ? "row has" : "rows have"} the same problem (${kind}).`,
    }));
}

/** A member's path; a name that is no plain word is quoted, a long one cut. */
export function joinPath(parent: string, name: string): string {
  const short = clipText(name, MOST_NAME_CHARACTERS);
  if (PLAIN_NAME.test(short)) return parent === "" ? short : `${parent}.${short}`;
  return `${parent}[${JSON.stringify(short)}]`;
}

/** A value as a message shows it: short, on one line, its kind where it is no single value. */
export function showValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (value instanceof RawJson) return clipText(value.text, MOST_NAME_CHARACTERS);
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value === "number" && !Number.isFinite(value)) return "a number beyond 1.8e308";
  if (typeof value === "string") return JSON.stringify(clipText(value, MOST_NAME_CHARACTERS));
  return String(value);
}
