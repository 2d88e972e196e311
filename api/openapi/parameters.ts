import { z } from "zod";
import { ULID } from "../../shared/ids.ts";
import type { Limits } from "../../shared/limits.ts";
import { describeBounds, type JsonObject, refTo } from "./components.ts";
import { hasMinimalForm } from "./route-docs.ts";
import type { ListedRoute } from "./route-list.ts";

const ulid = { type: "string", pattern: ULID.source };
const idParameters = new Set(["creation", "asset"]);

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  description: "A new UUID for each request; a retry sends the same one and gets the first answer again.",
  schema: { type: "string", format: "uuid" },
  example: "0b9f7f0e-6d6c-4f0a-9d0e-0c2f8e2f5a11",
} as const;

/** Headers that several routes read. */
export const HEADER_PARAMETERS = {
  IdempotencyKey: { ...idempotencyKey, required: true },
  OptionalIdempotencyKey: { ...idempotencyKey, required: false },
  IfMatch: {
    name: "If-Match",
    in: "header",
    required: true,
    description: "The ETag, or lock_version, of what was read before this change.",
    schema: { type: "string" },
    example: '"6"',
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    required: false,
    description: "The ETag of the copy at hand; 304 where it is still right.",
    schema: { type: "string" },
  },
  Prefer: {
    name: "Prefer",
    in: "header",
    required: false,
    description:
      "`return=minimal` answers with ids, states and versions, without texts; of an upload, `respond-async` answers at once instead of waiting for the inspection.",
    schema: { type: "string" },
    example: "return=minimal",
  },
} as const satisfies Record<string, JsonObject>;

/** The parameters of a route: of its path, its query and its headers. */
export function describeParameters({ url, audience, docs }: ListedRoute, limits: Limits): JsonObject[] {
  const headers: (keyof typeof HEADER_PARAMETERS)[] = [];
  if (docs.idempotencyKey === "required") headers.push("IdempotencyKey");
  if (docs.idempotencyKey === "optional") headers.push("OptionalIdempotencyKey");
  if (docs.ifMatch) headers.push("IfMatch");
  if (hasMinimalForm(docs)) headers.push("Prefer");
  if (audience === "public") headers.push("IfNoneMatch");
  return [
    ...[...url.matchAll(/:(\w+)/g)].map(([, name = ""]) => describePathParameter(name)),
    ...(docs.query ? describeQuery(docs.query, limits) : []),
    ...headers.map((name) => refTo("parameters", name)),
  ];
}

function describePathParameter(name: string): JsonObject {
  return { name, in: "path", required: true, schema: idParameters.has(name) ? ulid : { type: "string" } };
}

function describeQuery(query: z.ZodType, limits: Limits): JsonObject[] {
  const override = describeBounds(limits);
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: "input", override });
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema }: JsonObject = typeof property === "object" ? property : {};
    return {
      name,
      in: "query",
      required: required.includes(name),
      ...(description ? { description } : {}),
      schema,
    };
  });
}
