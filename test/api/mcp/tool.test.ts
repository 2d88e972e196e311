import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { describeTool, type Tool } from "../../../api/mcp/tool.ts";
import { TOOLS } from "../../../api/mcp/tools.ts";
import { describeSchemas } from "../../../api/openapi/components.ts";
import { loadConfig } from "../../../shared/platform/config.ts";
import type { Json } from "../../support/agent.ts";

const schemas: Json = describeSchemas(loadConfig({ SITE_URL: "https://example.org" }));

/** The requests whose members tools take, with what a tool does not: publishing has tools of its own. */
const BODIES: [tool: string, request: string, not: string[]][] = [
  ["update_profile", "ProfilePatch", []],
  ["check_profile", "ProfilePatch", []],
  ["create_creation", "CreateCreationRequest", ["publish", "schedule"]],
  ["update_creation", "UpdateCreationRequest", ["publish", "schedule", "type", "slug"]],
  ["check_creation", "CreateCreationRequest", []],
  ["check_creation", "UpdateCreationRequest", []],
  ["append_rows", "AppendRequest", []],
  ["create_upload", "CreateUploadRequest", []],
  ["restore_creation", "RestoreRequest", []],
];

const find = (name: string): Tool => {
  const tool = TOOLS.find((known) => known.name === name);
  if (tool === undefined) throw new Error(`${name} is missing`);
  return tool;
};
const schemaOf = (tool: Tool): Json => describeTool(tool).inputSchema;

/** Every schema within a schema. */
function* walk(schema: Json, path: string): Generator<[string, Json]> {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return;
  yield [path, schema];
  for (const [name, member] of Object.entries<Json>(schema.properties ?? {}))
    yield* walk(member, `${path}.${name}`);
  if (schema.items !== undefined) yield* walk(schema.items, `${path}[]`);
  for (const one of schema.anyOf ?? []) yield* walk(one, path);
}

const PARTS = TOOLS.flatMap((tool) => [...walk(schemaOf(tool), tool.name)]);

describe("the schemas of tools", () => {
  test("have no keyword that a strict compiler cannot take", () => {
    const taken = [
      "type",
      "properties",
      "required",
      "additionalProperties",
      "items",
      "enum",
      "anyOf",
      "description",
    ];
    taken.push("minimum", "maximum", "maxLength", "maxItems");
    const others = PARTS.flatMap(([path, part]) =>
      Object.keys(part)
        .filter((keyword) => !taken.includes(keyword))
        .map((keyword) => `${path}: ${keyword}`),
    );
    expect(others).toEqual([]);
    expect(PARTS.filter(([, { type, anyOf }]) => typeof type !== "string" && anyOf === undefined)).toEqual(
      [],
    );
  });

  test("close every object but those whose members are the caller's own", () => {
    const open = PARTS.filter(
      ([, { type, additionalProperties }]) => type === "object" && additionalProperties !== false,
    );
    expect(open.map(([path]) => path).filter((path) => !path.startsWith("check_"))).toEqual([
      "create_creation.payload.attachments[].dictionary",
      "create_creation.payload.attachments[].dictionary[]",
      "create_creation.payload.figures[].from",
      "update_creation.changes.set",
      "update_creation.payload.attachments[].dictionary",
      "update_creation.payload.attachments[].dictionary[]",
      "update_creation.payload.figures[].from",
      "append_rows.rows[]",
      "create_upload.dialect",
      "watch.question",
    ]);
  });

  test.each([true, false])("compile strictly, whether formats are known (%s) or not", (areKnown) => {
    const ajv = new Ajv({
      strict: true,
      formats: areKnown ? { uuid: true, uri: true, "date-time": true } : {},
    });
    for (const tool of TOOLS) expect(() => ajv.compile(schemaOf(tool))).not.toThrow();
  });
});

/** Every member of a request by its path, within each choice, with its example. */
function* listMembers(given: Json, path: string[]): Generator<[string[], Json]> {
  const schema = given?.$ref === undefined ? given : schemas[given.$ref.split("/").at(-1)];
  for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) yield* listMembers(one, path);
  if (schema.items !== undefined) yield* listMembers(schema.items, [...path, "[]"]);
  for (const [name, member] of Object.entries<Json>(schema.properties ?? {})) {
    yield [[...path, name], member.examples?.[0] ?? member.const ?? member.enum?.[0]];
    yield* listMembers(member, [...path, name]);
  }
}

const nest = (path: string[], value: Json): Json =>
  path.reduceRight<Json>((inner, name) => (name === "[]" ? [inner] : { [name]: inner }), value);

/** The schema of a tool that requires nothing, so that each member can be sent alone. */
const loosen = (tool: Tool): Json =>
  JSON.parse(JSON.stringify(schemaOf(tool)), (name, value) => (name === "required" ? undefined : value));

const join = (path: string[]) => path.join(".").replaceAll(".[]", "[]");

test.each(BODIES)("%s takes each member of %s, and no other", (name, request, not) => {
  const tool = find(name);
  const validate = new Ajv({ strict: true }).compile(loosen(tool));
  const members = [...listMembers(schemas[request], [])].filter(([[first = ""]]) => !not.includes(first));
  expect(members.length).toBeGreaterThan(2);
  const refused = members.filter(([path, value]) => value !== undefined && !validate(nest(path, value)));
  expect(refused.map(([path]) => join(path))).toEqual([]);
  const known = new Set(members.map(([path]) => join(path)));
  const inHeaders = ["lock_version", "idempotency_key", "full", "creation_id"];
  const asked = [
    ...inHeaders,
    "clear",
    "action",
    "revision_id",
    "visibility",
    "publish_at",
    "type",
    "slug",
    "section",
    "changes",
  ];
  const own = [...walk(schemaOf(tool), "")]
    .map(([path]) => path.slice(1))
    .filter((path) => path !== "" && !path.endsWith("[]"));
  const more = own.filter((path) => !known.has(path) && !asked.includes(path.split(".")[0] ?? ""));
  expect(more).toEqual([]);
});
