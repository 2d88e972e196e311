import { z } from "zod";
import type { FieldErrors } from "../../shared/errors.ts";
import { findShapeFault } from "../plugins/json-bodies.ts";
import type { ReadArguments } from "./requests.ts";
import type { Arguments, Tool } from "./tool.ts";

/** The most items of each argument that takes a list or an object, and never a text; null where nothing says so. */
type StructuredArguments = ReadonlyMap<string, number | null>;

const structured = new WeakMap<Tool, StructuredArguments>();

/**
 * Parses lists and objects that some clients send as JSON text; all other arguments stay as they are. A list in a query
 * is cut behind the first item over its maximum, by which its endpoint refuses it.
 */
export function readStringified(tool: Tool, args: Arguments): ReadArguments {
  const known = structured.get(tool) ?? findStructured(tool);
  structured.set(tool, known);
  const problems: FieldErrors = {};
  const isQuery = tool.request.input === "query";
  const read = Object.entries(args).map(([name, value]) => {
    const most = known.get(name);
    if (most === undefined) return [name, value];
    const fault = typeof value === "string" ? findShapeFault(Buffer.from(value)) : null;
    if (fault === null) return [name, isQuery ? cutList(readJson(value), most) : readJson(value)];
    problems[name] = [`The JSON text in ${name} ${fault}.${most === null ? "" : ` Send at most ${most}.`}`];
    // A body keeps the text, which its endpoint refuses in its turn: without it the request would be another one.
    return [name, isQuery ? null : value];
  });
  return { args: Object.fromEntries(read), problems };
}

function findStructured(tool: Tool): StructuredArguments {
  const { properties = {} } = z.toJSONSchema(tool.arguments, { io: "input" });
  const isStructured = (schema: unknown): boolean => {
    const { type, anyOf = [] } = schema as { type?: string; anyOf?: unknown[] };
    return type === "object" || type === "array" || anyOf.some(isStructured);
  };
  const mostOf = (schema: unknown) => (schema as { maxItems?: number }).maxItems ?? null;
  const found = Object.entries(properties).filter(([, schema]) => isStructured(schema));
  return new Map(found.map(([name, schema]) => [name, mostOf(schema)]));
}

function cutList(value: unknown, most: number | null): unknown {
  return Array.isArray(value) && most !== null ? value.slice(0, most + 1) : value;
}

function readJson(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    const read: unknown = JSON.parse(value);
    return typeof read === "object" ? read : value;
  } catch {
    return value;
  }
}
