import { expect, test } from "vitest";
import { describeTool, type Tool } from "../../../api/mcp/tool.ts";
import { TOOLS } from "../../../api/mcp/tools.ts";
import { type Json, request } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";

const service = await openService({ workers: false });
const document = (await request(service, { method: "GET", url: "/api/v1/openapi.json" })).json;

// The search's short name for query; what tools take in place of the parts of an address; and their bound of bytes.
const OTHER_NAMES = [
  ...["q", "handle", "slug", "url", "rows_url", "query_url", "creation_id", "max_bytes", "part", "from_line"],
  // what is watched, and whether
  ...["agent_id", "on", "mute", "name", "label", "question"],
  // the base of a comparison, and which watches
  ...["base", "base_asset_id", "questions", "revision_number"],
  // members of a profile that null takes away
  "clear",
];
/** What a tool leaves out: members read only to see that nothing changes, and a parameter that it sets by itself. */
const FIXED: Record<string, string[]> = {
  update_creation: ["type", "slug", "publish", "schedule"],
  // A model must not sit in a call.
  list_events: ["wait"],
  list_docs: ["audience", "page", "per_page", "without_text"],
  search_creations: ["without_text"],
  // It has parts.
  get_creation: ["without_text"],
  // What readers see at once has tools of its own.
  create_creation: ["publish", "schedule"],
  query_dataset_rows: ["question"],
  describe_dataset: ["table"],
  diff_rows: ["columns", "change"],
};

/** The operation of the interface's description that a tool runs. */
function findOperation({ request: { method, path } }: Tool): Json {
  const shape = (text: string) => text.replace(/:\w+|\{\w+\}/g, "{}");
  const found = Object.entries<Json>(document.paths).find(([known]) => shape(known) === shape(path));
  return found?.[1][method.toLowerCase()];
}

const nameOf = ({ $ref, name }: Json): string => $ref?.split("/").at(-1) ?? name;

/** What an operation takes, under the names that tools have for it. */
function listInputs(operation: Json): string[] {
  const headers: Record<string, string> = {
    IdempotencyKey: "idempotency_key",
    OptionalIdempotencyKey: "idempotency_key",
    IfMatch: "lock_version",
    Prefer: "full",
    fields: "without_text",
  };
  const parameters: string[] = operation.parameters
    .filter((parameter: Json) => parameter.in !== "path")
    .map(nameOf)
    .filter((name: string) => name !== "IfNoneMatch")
    .map((name: string) => headers[name] ?? name.replace(/\[.*$/, ""));
  return [...parameters, ...listMembers(operation.requestBody?.content["application/json"].schema)];
}

/** The members of a schema and of all its choices. */
function listMembers(schema: Json): string[] {
  if (schema === undefined) return [];
  const { $ref, properties = {}, anyOf = [], oneOf = [] } = schema;
  const named = $ref === undefined ? [] : listMembers(document.components.schemas[nameOf(schema)]);
  return [...named, ...Object.keys(properties), ...[...anyOf, ...oneOf].flatMap(listMembers)];
}

const asSet = (names: readonly string[]) =>
  [...new Set(names)].filter((name) => !OTHER_NAMES.includes(name)).toSorted();

test.each(TOOLS.map((tool) => [tool.name, tool] as const))(
  "%s takes what the interface's description says of its request, and needs what it needs",
  (_, tool) => {
    const operation = findOperation(tool);
    const inPath = [...tool.request.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
    const taken = Object.keys(describeTool(tool).inputSchema.properties as object);
    const offered = listInputs(operation).filter((name) => !FIXED[tool.name]?.includes(name));
    expect(asSet(taken.filter((name) => !inPath.includes(name)))).toEqual(asSet(offered));
    expect(operation["x-ability"] ?? null).toBe(tool.ability);
  },
);
