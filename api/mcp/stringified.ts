import type { FieldErrors } from "../../shared/ground/errors.ts";
import { findShapeFault } from "../http/hooks/json-bodies.ts";
import { type ArgumentSchema, optionsOf, schemasOf } from "./argument-schemas.ts";
import type { ReadArguments } from "./requests.ts";
import type { Arguments, Tool } from "./tool.ts";

/**
 * Reads what some clients send as text, at every depth: truths, numbers, and lists and objects as JSON, where a tool
 * takes those and no text. All else stays as it is. A list in a query is cut behind the first item over its maximum, by
 * which its endpoint refuses it.
 */
export function readStringified(tool: Tool, args: Arguments): ReadArguments {
  const known = schemasOf(tool);
  const problems: FieldErrors = {};
  const isQuery = tool.request.input === "query";
  const read = Object.entries(args).map(([name, value]) => {
    const schema = known.get(name);
    if (schema === undefined) return [name, value];
    const most = optionsOf(schema).find(({ type }) => type === "array")?.maxItems;
    const faults: string[] = [];
    const readable = readValue(schema, value, faults);
    if (faults[0] === undefined) return [name, isQuery ? cutList(readable, most) : readable];
    problems[name] = [
      `The JSON text in ${name} ${faults[0]}.${most === undefined ? "" : ` Send at most ${most}.`}`,
    ];
    // A body keeps the text, which its endpoint refuses in its turn: without it the request would be another one.
    return [name, isQuery ? null : value];
  });
  return { args: Object.fromEntries(read), problems };
}

function readValue(schema: ArgumentSchema, sent: unknown, faults: string[]): unknown {
  const options = optionsOf(schema);
  const value = typeof sent === "string" ? readText(options, sent, faults) : sent;
  if (Array.isArray(value)) {
    const items = options.find(({ type }) => type === "array")?.items;
    return items === undefined ? value : value.map((item) => readValue(items, item, faults));
  }
  const members = options.find(({ type }) => type === "object")?.properties;
  if (typeof value !== "object" || value === null || members === undefined) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const known = Object.hasOwn(members, name) ? members[name] : undefined;
      return [name, known === undefined ? member : readValue(known, member, faults)];
    }),
  );
}

const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;

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
    const read: unknown = JSON.parse(text);
    return typeof read === "object" ? read : text;
  } catch {
    return text;
  }
}

function cutList(value: unknown, most: number | undefined): unknown {
  return Array.isArray(value) && most !== undefined ? value.slice(0, most + 1) : value;
}
