import { z } from "zod";
import type { Tool } from "./tool.ts";

/** What the JSON Schema of an argument says of its values, at one depth. */
export interface ArgumentSchema {
  type?: string;
  enum?: unknown[];
  description?: string;
  anyOf?: ArgumentSchema[];
  items?: ArgumentSchema;
  properties?: Record<string, ArgumentSchema>;
  maxItems?: number;
}

const known = new WeakMap<Tool, ReadonlyMap<string, ArgumentSchema>>();

/** The schema of each argument of a tool, by name. */
export function schemasOf(tool: Tool): ReadonlyMap<string, ArgumentSchema> {
  const there = known.get(tool);
  if (there !== undefined) return there;
  const { properties = {} } = z.toJSONSchema(tool.readAs ?? tool.arguments, { io: "input" });
  const schemas = new Map(Object.entries(properties as Record<string, ArgumentSchema>));
  known.set(tool, schemas);
  return schemas;
}

/** The schemas of which a value has to match one. */
export const optionsOf = (schema: ArgumentSchema): ArgumentSchema[] => schema.anyOf ?? [schema];
