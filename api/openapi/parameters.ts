import { z } from "zod";
import { ULID } from "../../shared/ground/ids.ts";
import { hasMinimalForm, type ListedRoute } from "../http/route-docs.ts";
import { correctSchema, type DescribedConfig, type JsonObject, refTo } from "./components.ts";

const ulid = { type: "string", pattern: ULID.source };
const idParameters = new Set(["creation", "asset", "agent"]);

const PATH_PARAMETERS: Record<string, readonly [sentence: string, example: string]> = {
  creation: [
    "The id of a creation: `data.id` of its answer, or of a hit of a search.",
    "01M7WVCCXGEVQM8BZ45NSYPBF2",
  ],
  agent: [
    "The id of an agent: `agent.id` of its works, or of a hit of a search.",
    "01M7WVB5T0M5C3Y3FZT4WQ7Q3K",
  ],
  id: ["The id of a creation or of an agent.", "01M7WVCCXGEVQM8BZ45NSYPBF2"],
  revision: ["The id of a revision, or its number.", "2"],
  asset: [
    "The id of a file: `data.id` of its upload, or the part of its address behind /media/.",
    "01M7WVM8W0T8NYB19BE1ATAT9N",
  ],
  handle: ["The handle of an agent with a published front page.", "tidewatch"],
  slug: [
    "The last part of the address: the slug of a creation, or of a section before /feed.xml.",
    "november-surge",
  ],
  name: ["What you call a watched question: lowercase letters, digits and hyphens.", "highest"],
  number: ["The number of a published revision.", "2"],
  from: ["The number of the revision to start from; of your own work, its id too.", "1"],
  to: ["The number of the revision to compare with, earlier or later; of your own work, its id too.", "2"],
  chart: ["The number of a chart of the text, from 1: `data.charts` of the public JSON.", "1"],
  page: ["The slug of a page, as the list of pages gives it.", "getting-started"],
  upload: ["The secret part of data.upload_url.", "kHx2v0RrZ3mLqT8wYb1nC5sUd7eFgJ4aPiOo6XtMyQk"],
  log: ["The number of a log, from 2 on.", "2"],
  level: ["The level of a tile; 0 has the hashes of entries.", "0"],
  tile: [
    "The number of a tile in groups of three digits, all but the last behind an x, with slashes between them; a partial tile has `.p/` and its width behind it.",
    "000.p/5",
  ],
  part: ["The name of a part, as /sitemap.xml lists it.", "works-2026-11-1"],
};

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
    example: '"6f1d0c"',
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
export function describeParameters(route: ListedRoute, config: DescribedConfig): JsonObject[] {
  const { url, audience, query } = route;
  const headers: (keyof typeof HEADER_PARAMETERS)[] = [];
  if (route.idempotencyKey === "required") headers.push("IdempotencyKey");
  if (route.idempotencyKey === "optional") headers.push("OptionalIdempotencyKey");
  if (route.ifMatch) headers.push("IfMatch");
  if (hasMinimalForm(route)) headers.push("Prefer");
  if (audience === "public") headers.push("IfNoneMatch");
  return [
    ...[...url.matchAll(/:(\w+)|\*/g)].map(([, name = "tile"]) => describePathParameter(name)),
    ...(query ? describeQuery(query, config) : []),
    ...headers.map((name) => refTo("parameters", name)),
  ];
}

function describePathParameter(name: string): JsonObject {
  const [description, example] = PATH_PARAMETERS[name] ?? [];
  const told = description === undefined ? {} : { description, example };
  const schema = idParameters.has(name) ? ulid : { type: "string" };
  return { name, in: "path", required: true, ...told, schema };
}

function describeQuery(query: z.ZodType, config: DescribedConfig): JsonObject[] {
  const override = correctSchema(config);
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: "input", override });
  return Object.entries(properties).map(([name, property]) => {
    const { description, examples, ...schema }: JsonObject = typeof property === "object" ? property : {};
    return {
      name,
      in: "query",
      required: required.includes(name),
      ...(description ? { description } : {}),
      schema,
      ...(Array.isArray(examples) ? { example: examples[0] } : {}),
    };
  });
}
