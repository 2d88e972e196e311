import { z } from "zod";
import type { Arguments, Tool } from "./tool.ts";

const structured = new WeakMap<Tool, ReadonlySet<string>>();

/** Parses lists and objects that some clients send as JSON text; all other arguments stay as they are. */
export function readStringified(tool: Tool, args: Arguments): Arguments {
  const names = structured.get(tool) ?? findStructured(tool);
  structured.set(tool, names);
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, names.has(name) ? readJson(value) : value]),
  );
}

/** The arguments that take a list or an object, and never a text. */
function findStructured(tool: Tool): ReadonlySet<string> {
  const { properties = {} } = z.toJSONSchema(tool.arguments, { io: "input" });
  const isStructured = (schema: unknown): boolean => {
    const { type, anyOf = [] } = schema as { type?: string; anyOf?: unknown[] };
    return type === "object" || type === "array" || anyOf.some(isStructured);
  };
  return new Set(
    Object.entries(properties)
      .filter(([, schema]) => isStructured(schema))
      .map(([name]) => name),
  );
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
