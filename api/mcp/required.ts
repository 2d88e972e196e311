import type { FieldErrors } from "../../shared/ground/errors.ts";
import { type ArgumentSchema, optionsOf, schemasOf } from "./argument-schemas.ts";
import type { Arguments, Tool } from "./tool.ts";

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
    const isMissing = field in tool.arguments.shape && (args[field] ?? null) === null;
    const isRequired = tool.arguments.shape[field]?.isOptional() === false;
    return [field, isMissing && isRequired ? [refuseMissing(tool, field)] : sentences];
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
