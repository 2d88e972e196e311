import { z } from "zod";
import type { FieldErrors } from "../../shared/ground/errors.ts";
import { refuseName, shortenName, UNKNOWN_SHOWN } from "../../shared/ground/nearest-name.ts";
import { keepDigits, RawJson } from "../../shared/ground/raw-json.ts";
import { isRecord } from "../../shared/requests/read-body.ts";
import { isExactDouble } from "../../shared/tables/rows/decimal.ts";
import { findShapeFault } from "../http/hooks/json-bodies.ts";
import type { Arguments, Tool } from "./tool.ts";

/** The arguments of a call as they were read, and those that could not be read. */
export interface ReadArguments {
  args: Arguments;
  problems: FieldErrors;
}

/**
 * Reads what some clients send as text, at every depth: truths, numbers, and lists and objects as JSON, where a tool
 * takes those and no text. Null is as left out, as strict compilers send it for whatever is not needed, but in objects
 * that the schema leaves open. All else stays as it is. A list in a query is cut behind the first item over its maximum, by
 * which its endpoint refuses it.
 */
export function readStringified(tool: Tool, args: Arguments): ReadArguments {
  const known = schemasOf(tool);
  const problems: FieldErrors = {};
  const isQuery = tool.request.input === "query";
  const read = Object.entries(args).flatMap(([name, value]) => {
    const schema = known.get(name);
    if (schema === undefined) return [[name, value]];
    if (value === null) return [];
    const most = optionsOf(schema).find(({ type }) => type === "array")?.maxItems;
    const faults: string[] = [];
    const readable = readValue(schema, value, faults);
    if (isQuery && tool.annotations.readOnlyHint && saysNothing(optionsOf(schema), readable)) {
      problems[name] = [`The ${name} must be ${nameType(schema)}.`];
      return [];
    }
    if (faults[0] === undefined) return [[name, isQuery ? cutList(readable, most) : readable]];
    problems[name] = [
      `The JSON text in ${name} ${faults[0]}.${most === undefined ? "" : ` Send at most ${most}.`}`,
    ];
    // A body keeps the text, which its endpoint refuses in its turn: without it the request would be another one.
    return [[name, isQuery ? null : value]];
  });
  return { args: Object.fromEntries(read), problems };
}

/** Whether a value would be lost in a query: an empty list where no list is taken, or an object where none is. */
function saysNothing(options: readonly ArgumentSchema[], value: unknown): boolean {
  const takes = (wanted: string) => options.some(({ type = wanted }) => type === wanted);
  if (Array.isArray(value)) return value.length === 0 && !takes("array");
  return isRecord(value) && !(value instanceof RawJson) && !takes("object") && !takes("array");
}

function readValue(schema: ArgumentSchema, sent: unknown, faults: string[]): unknown {
  const options = optionsOf(schema);
  if (sent instanceof RawJson) return readNumber(options, sent);
  const value = typeof sent === "string" ? readText(options, sent, faults) : sent;
  if (Array.isArray(value)) {
    const items = options.find(({ type }) => type === "array")?.items;
    return items === undefined ? value : value.map((item) => readValue(items, item, faults));
  }
  const members = options.find(({ type }) => type === "object")?.properties;
  if (typeof value !== "object" || value === null || members === undefined) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const known = Object.hasOwn(members, name) ? members[name] : undefined;
      if (known === undefined) return [[name, member]];
      return member === null ? [] : [[name, readValue(known, member, faults)]];
    }),
  );
}

const NUMBER_TYPES = ["number", "integer", "null"];

/** The number that is meant where numbers alone are taken and no digit is lost; else it stays as it is written. */
function readNumber(options: readonly ArgumentSchema[], sent: RawJson): number | RawJson {
  const areNumbers = options.every(({ type = "" }) => NUMBER_TYPES.includes(type));
  return areNumbers && isExactDouble(sent.text) ? Number(sent.text) : sent;
}

/** Of no more digits than a double holds: a longer one stays as it is written. */
const NUMBER = /^-?(?!.{17})\d{1,15}(?:\.\d{1,15})?$/;

/** The value that a text stands for where no text is taken; the text itself where it stands for none. */
function readText(options: readonly ArgumentSchema[], text: string, faults: string[]): unknown {
  const types = new Set(options.map(({ type }) => type));
  if (types.has("string") || types.has(undefined)) return text;
  if (types.has("boolean") && (text === "true" || text === "false")) return text === "true";
  if ((types.has("number") || types.has("integer")) && NUMBER.test(text)) return Number(text);
  return types.has("object") || types.has("array") ? readJson(text, faults) : text;
}

function readJson(text: string, faults: string[]): unknown {
  const fault = findShapeFault(Buffer.from(text));
  if (fault !== null) {
    faults.push(fault);
    return text;
  }
  try {
    const read: unknown = JSON.parse(text, keepDigits);
    return typeof read === "object" && !(read instanceof RawJson) ? read : text;
  } catch {
    return text;
  }
}

function cutList(value: unknown, most: number | undefined): unknown {
  return Array.isArray(value) && most !== undefined ? value.slice(0, most + 1) : value;
}

/** What the JSON Schema of an argument says of its values, at one depth. */
interface ArgumentSchema {
  type?: string;
  enum?: unknown[];
  description?: string;
  anyOf?: ArgumentSchema[];
  items?: ArgumentSchema;
  properties?: Record<string, ArgumentSchema>;
  maxItems?: number;
}

function schemasOf(tool: Tool): ReadonlyMap<string, ArgumentSchema> {
  const { properties = {} } = z.toJSONSchema(tool.readAs ?? tool.arguments, { io: "input" });
  return new Map(Object.entries(properties as Record<string, ArgumentSchema>));
}

const optionsOf = (schema: ArgumentSchema): ArgumentSchema[] => schema.anyOf ?? [schema];

const TAKEN = { kind: "argument", taker: "tool" };

/** A name that no endpoint takes. */
export const TAKEN_NOWHERE = "-";

/**
 * Names each argument that a tool does not have, with the nearest one. A reading tool runs without them before it is
 * refused; a writing tool's request keeps them beside a name by which its endpoint refuses it in its turn, also where
 * the endpoint has what the tool has not: nothing is written.
 */
export function findUnknownArguments(tool: Tool, given: Arguments): ReadArguments {
  const known = Object.keys(tool.arguments.shape);
  const { mistaken = {} } = tool;
  const isMistaken = (name: string) => Object.hasOwn(mistaken, name);
  const isRead = tool.annotations.readOnlyHint;
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  if (unknown.length === 0) return { args: given, problems: {} };
  const problems: FieldErrors = {};
  for (const name of unknown.slice(0, UNKNOWN_SHOWN)) {
    const shown = shortenName(name);
    problems[shown] = [
      isMistaken(name)
        ? `There is no argument ${shown}. Did you mean ${mistaken[name]}?`
        : refuseName(shown, TAKEN, known),
    ];
  }
  const isSent = (name: string) => known.includes(name) || !(isRead || isMistaken(name));
  const args = Object.fromEntries(Object.entries(given).filter(([name]) => isSent(name)));
  return { args: isRead ? args : { ...args, [TAKEN_NOWHERE]: true }, problems };
}

/** The refusal of a required argument that was left out: its type, and where its value comes from. */
export function refuseMissing(tool: Tool, name: string): string {
  const schema = schemasOf(tool).get(name);
  const type = schema === undefined ? null : nameType(schema);
  const { description } = schema ?? {};
  const from = description === undefined ? "." : `: ${description.replace(/\.?$/, ".")}`;
  return `The ${name} is required${type === null ? "" : `, ${type}`}${from}`;
}

/** The errors of a refusal, with a fuller sentence for each required argument that was left out. */
export function nameMissing(tool: Tool, args: Arguments, errors: FieldErrors): FieldErrors {
  const told = Object.entries(errors).map(([field, sentences]) => {
    // The name of a member that was sent may be that of one which every object has.
    const argument = Object.hasOwn(tool.arguments.shape, field) ? tool.arguments.shape[field] : undefined;
    const isMissing = argument?.isOptional() === false && (args[field] ?? null) === null;
    return [field, isMissing ? [refuseMissing(tool, field)] : sentences];
  });
  return Object.fromEntries(told);
}

const TYPES: Readonly<Record<string, string>> = {
  string: "a text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

function nameType(schema: ArgumentSchema): string | null {
  const [first] = optionsOf(schema);
  if (first?.enum !== undefined) return `one of ${first.enum.join(", ")}`;
  return TYPES[first?.type ?? ""] ?? null;
}
