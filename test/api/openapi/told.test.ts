import { describe, expect, it } from "vitest";
import { buildOpenApi } from "../../../api/openapi/document.ts";
import { CONFIG } from "./body-readers.ts";
import { listRoutes } from "./open-document.ts";

interface Schema {
  $ref?: string;
  description?: string;
  examples?: unknown[];
  default?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}
interface Parameter {
  $ref?: string;
  name: string;
  description?: string;
  example?: unknown;
}
interface Operation {
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}
interface Member {
  path: string;
  schema: Schema;
}

const routes = await listRoutes();
const document: { paths: Record<string, Record<string, Operation>>; components: Record<string, object> } =
  JSON.parse(JSON.stringify(buildOpenApi(routes, CONFIG)));

function follow<Found extends { $ref?: string }>(found: Found): Found {
  const [, kind = "", name = ""] = /^#\/components\/(\w+)\/(\w+)$/.exec(found.$ref ?? "") ?? [];
  if (found.$ref === undefined) return found;
  return {
    ...(document.components[kind] as Record<string, Found>)[name],
    ...found,
    $ref: undefined,
  } as Found;
}

/** Every member of a schema at every depth, in every form of it. */
function listMembers(schema: Schema, path: string): Member[] {
  const { properties = {}, items, anyOf = [], oneOf = [] } = follow(schema);
  const named = Object.entries(properties).map(([name, member]) => ({
    path: `${path}.${name}`,
    schema: member,
  }));
  return [
    ...named,
    ...named.flatMap((member) => listMembers(member.schema, member.path)),
    ...(items === undefined ? [] : listMembers(items, `${path}[]`)),
    ...[...anyOf, ...oneOf].flatMap((form, at) => listMembers(form, `${path}(${at})`)),
  ];
}

function listOperations(): [string, Operation][] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): [string, Operation] => [
      `${method} ${path}`,
      operation,
    ]),
  );
}

function listRequestMembers(): Member[] {
  return listOperations().flatMap(([key, { requestBody }]) =>
    Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => listMembers(schema, key)),
  );
}

const isSentence = (text = "") => text.length > 15 && /[.!]$/.test(text) && !text.includes("{");

describe("every member of every request", () => {
  it("has a sentence of its own", () => {
    const members = listRequestMembers();
    expect(members.length).toBeGreaterThan(300);
    const bare = members.filter(({ schema }) => !isSentence(follow(schema).description));
    expect(bare.map(({ path }) => path)).toEqual([]);
  });

  it("has an example", () => {
    const bare = listRequestMembers().filter(({ schema }) => (follow(schema).examples ?? []).length === 0);
    expect(bare.map(({ path }) => path)).toEqual([]);
  });

  it("has no default, which generators take for a member that is always sent", () => {
    const filled = listRequestMembers().filter(({ schema }) => "default" in follow(schema));
    expect(filled.map(({ path }) => path)).toEqual([]);
  });

  it("that takes Markdown tells of charts and flowcharts, and where they are described", () => {
    const texts = listRequestMembers().filter(({ path }) => path.endsWith("_markdown"));
    expect(new Set(texts.map(({ path }) => path.split(".").at(-1)))).toEqual(
      new Set(["body_markdown", "introduction_markdown", "about_markdown"]),
    );
    for (const { schema } of texts) {
      for (const word of ["`chart`", "`mermaid`", "https://example.org/docs/charts", "/docs/flowcharts"])
        expect(follow(schema).description).toContain(word);
    }
  });
});

describe("every parameter", () => {
  it("has a sentence and an example", () => {
    const parameters = listOperations().flatMap(([key, operation]) =>
      operation.parameters.map((parameter) => ({ key, ...follow(parameter) })),
    );
    expect(parameters.length).toBeGreaterThan(150);
    const bare = parameters.filter(
      ({ description, example }) => !isSentence(description) || example === undefined,
    );
    const hint = "describe it by describeMember(), or in PATH_PARAMETERS of api/openapi/parameters.ts";
    expect(
      bare.map(({ key, name }) => `${key} ${name}`),
      hint,
    ).toEqual([]);
  });
});

describe("every operation of an agent", () => {
  it("says what must come before it", () => {
    const bare = routes.filter(({ audience, before }) => audience !== "public" && !isSentence(before));
    expect(bare.map(({ method, url }) => `${method} ${url}: say "before" of it`)).toEqual([]);
  });
});
