import { z } from "zod";
import { fillFigures } from "../../shared/ground/limits.ts";
import type { Config } from "../../shared/platform/config.ts";
import { HTTPS_PATTERN } from "../../shared/requests/urls.ts";
import { mapShown } from "../../shared/requests/work-members.ts";
import written from "./examples.json" with { type: "json" };
import * as answers from "./schemas/answers.ts";
import { namedPayloads } from "./schemas/creation.ts";
import * as requests from "./schemas/requests.ts";
import { shareParts } from "./share-parts.ts";

export type JsonObject = Record<string, unknown>;

const root = "#/components/schemas/";
const savedPayloads: [string, z.ZodType][] = Object.entries(namedPayloads).map(([name, schema]) => [
  `Saved${name}`,
  schema,
]);
const requestSchemas: [string, z.ZodType][] = [...Object.entries(requests), ...Object.entries(namedPayloads)];
const answerSchemas: [string, z.ZodType][] = [...Object.entries(answers), ...savedPayloads];
const names = new Map([...answerSchemas, ...requestSchemas].map(([name, schema]) => [schema, name]));

/** Every request and answer as a JSON Schema by name; a request may leave out what has a default, an answer never does. */
export function describeSchemas(config: DescribedConfig): JsonObject {
  const all = { ...convert(requestSchemas, "input", config), ...convert(answerSchemas, "output", config) };
  return shareParts(all, (name) => refTo("schemas", name));
}

/** What the document depends on. */
export type DescribedConfig = Pick<Config, "siteUrl" | "limits">;

function convert(
  schemas: [string, z.ZodType][],
  io: "input" | "output",
  config: DescribedConfig,
): JsonObject {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of schemas) registry.add(schema, { id });
  const { schemas: converted } = z.toJSONSchema(registry, {
    io,
    uri: (id) => `${root}${id}`,
    override: correctSchema(config),
  });
  return Object.fromEntries(
    Object.entries(converted).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema]),
  );
}

/** Drops zod's bounds of whole numbers, JavaScript's exact integers: they are of no use to a reader. */
export function dropSafeBounds({ jsonSchema }: { jsonSchema: JsonObject }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

/** Corrects zod's JSON Schema: drops meaningless bounds, fills in limits in force and our addresses. */
export function correctSchema({ limits, siteUrl }: DescribedConfig) {
  return (context: { jsonSchema: JsonObject }): void => {
    dropSafeBounds(context);
    const { jsonSchema } = context;
    const { description, pattern } = jsonSchema;
    if (typeof description === "string") {
      jsonSchema.description = fillFigures(description.replaceAll("{docs}", `${siteUrl}/docs`), limits);
    }
    // Where the site itself is served by plain HTTP, its own addresses are taken, too.
    if (typeof pattern === "string" && !siteUrl.startsWith("https://"))
      jsonSchema.pattern = pattern.replace(HTTPS_PATTERN, HTTPS_PATTERN.replace("[Ss]", "[Ss]?"));
    // Generators take a member with a default for one that is always there; its description says what holds without it.
    delete jsonSchema.default;
  };
}

/** JSON of this schema, with its examples; throws for the body of `what` where `file` does not export it. */
export function describeBody(
  schema: z.ZodType,
  { what, file }: { what: string; file: "answers.ts" | "requests.ts" },
): JsonObject {
  const name = names.get(schema);
  if (name === undefined) {
    throw new Error(`api/openapi/schemas/${file} does not export ${what}: export its schema there`);
  }
  return { schema: refTo("schemas", name), ...referToExamples(`${name}.`) };
}

/** The examples whose names begin with `start`, by the rest of their names; empty where there are none. */
export function referToExamples(start: string): JsonObject {
  const found = Object.keys(EXAMPLES).filter((key) => key.startsWith(start));
  if (found.length === 0) return {};
  return {
    examples: Object.fromEntries(found.map((key) => [key.replace(/^\w+\./, ""), refTo("examples", key)])),
  };
}

/** A reference to a component. */
export function refTo(
  kind: "schemas" | "examples" | "headers" | "parameters" | "responses",
  name: string,
): JsonObject {
  return { $ref: `#/components/${kind}/${name}` };
}

/** The public JSON of works, whose examples leave out members of the payload that they have nothing to show for. */
const WORKS = ["PublicCreation.", "PublicRevision."];

/** The examples of examples.json, named Schema.example. */
export const EXAMPLES: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(written).map(([name, example]) => [
    name,
    WORKS.some((start) => name.startsWith(start)) ? completeWork(example) : example,
  ]),
);

function completeWork(example: object): object {
  const { data } = example as { data?: object };
  const missing = { ...mapShown("text", () => null), ...mapShown("address", () => null) };
  return { ...example, data: { ...data, ...pickMissing(missing, data ?? {}) } };
}

function pickMissing(members: object, known: object): object {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !Object.hasOwn(known, name)));
}
