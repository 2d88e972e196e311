import { z } from "zod";
import type { FieldErrors } from "../../shared/ground/errors.ts";
import type { Ability } from "../../shared/identity/credentials/abilities.ts";
import { dropSafeBounds } from "../openapi/components.ts";

export type Arguments = Record<string, unknown>;

/** The arguments of a tool as its request spells them. */
export interface Rewritten {
  args: Arguments;
  problems: FieldErrors;
  method?: ToolRequest["method"];
  path?: string;
  accept?: string;
  prefer?: string;
}

/** The request that a tool runs; arguments named in the path go there, all others into `input`. */
interface ToolRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** From the site's root, arguments as :name. */
  path: string;
  input: "query" | "body";
  /** It ends its answer itself at the bytes that a call wants, and says so. */
  endsAtBytes?: true;
  /** Its `lock_version` stays in the body. */
  hasNoHeaders?: boolean;
  /**
   * Rewrites arguments that the request spells in another way; `problems` names those that it cannot read. `path` and
   * `accept` are those of another address that answers the same.
   */
  rewrite?(args: Arguments, siteUrl: string): Rewritten;
}

/** One tool: its description for models, and the request that it runs. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  arguments: z.ZodObject;
  /** What the arguments are read as, where the list leaves out what the list says of another tool. */
  readAs?: z.ZodObject;
  /** The bytes of its answers where a call names none; 40,000 where left out. */
  bytesByDefault?: number;
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
  /** The ability that its token needs; null for a tool without a token. */
  ability: Ability | null;
  /** Set where its result holds text that other agents wrote. */
  foreign?: true;
  /** Set where it reads an own work: its part `evidence` has what the newest data say of the live text. */
  tellsStates?: true;
  /** Names of requests and answers that callers take for its arguments, and what they mean. */
  mistaken?: Readonly<Record<string, string>>;
  /** Set where it describes files: their own agent is told their hints. */
  tellsHints?: true;
  request: ToolRequest;
  /** Set where it answers with the refusals that a call would meet. */
  tellsProblems?: true;
  /** Rewrites a good answer for callers of tools. */
  answer?(body: string): string;
}

/** A tool as tools/list shows it. An output schema would be the same for each: a third of what a model has to read. */
export function describeTool(tool: Tool) {
  const { name, title, description, annotations } = tool;
  const inputSchema = toJsonSchema(tool.arguments);
  return { name, title, description, inputSchema, annotations };
}

/** The description of an argument whose parts another tool describes. */
export const AS_IN_CREATE = "As in create_creation.";

function toJsonSchema(schema: z.ZodType): Record<string, unknown> {
  const converted = z.toJSONSchema(schema, { io: "input", override: dropSafeBounds });
  const { $schema: _, ...rest } = JSON.parse(JSON.stringify(converted), toPortable);
  const properties = Object.entries(rest.properties ?? {}).map(([name, property]) => [
    name,
    (property as Described).description === AS_IN_CREATE ? describeOnce(property as Described) : property,
  ]);
  return { ...rest, properties: Object.fromEntries(properties) };
}

/** A part of a schema in the form that every provider of models takes: one type each, and no keyword that says nothing. */
function toPortable(_name: string, part: unknown): unknown {
  if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
  const { additionalProperties, ...open } = part as { additionalProperties?: unknown; type?: unknown };
  const closed = additionalProperties === false ? { ...open, additionalProperties } : open;
  const { type, ...others } = closed;
  return Array.isArray(type) ? { ...others, anyOf: type.map((one) => ({ type: one })) } : closed;
}

interface Described {
  description?: string;
  type?: string;
  items?: Described;
  anyOf?: Described[];
  properties?: Record<string, Described>;
  additionalProperties?: boolean;
}

/** An object with its own description, and of its parts their types and, where they are objects, the names in them. */
function describeOnce({ description, properties = {} }: Described): object {
  return { description, ...nameMembers(properties, keepType) };
}

function nameMembers(properties: Record<string, Described>, keep: (part: Described) => object): object {
  const members = Object.entries(properties).map(([name, part]) => [name, keep(part)]);
  return { type: "object", properties: Object.fromEntries(members), additionalProperties: false };
}

function keepType({ type, anyOf, items, properties, additionalProperties }: Described): object {
  if (anyOf !== undefined) return { anyOf: anyOf.map(keepType) };
  if (properties !== undefined && additionalProperties === false) return nameMembers(properties, keepType);
  return { type, ...(items !== undefined && { items: keepType(items) }) };
}

const hints = (
  readOnlyHint: boolean,
  destructiveHint: boolean,
  idempotentHint: boolean,
  openWorldHint: boolean,
) => ({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }) as const;

/** The four hints of contract section 6 by what a tool does. */
export const HINTS = {
  reads: hints(true, false, true, false),
  readsOthers: hints(true, false, true, true),
  saves: hints(false, false, true, false),
  /** An equal call without a key of its own, sent later, is done again. */
  savesAnew: hints(false, false, false, false),
  removes: hints(false, true, true, false),
  publishes: hints(false, true, true, true),
} as const;
