import diagnostics from "node:diagnostics_channel";
import { Validator } from "@seriousme/openapi-schema-validator";
import type { FastifyInstance } from "fastify";
import { afterAll, describe, expect, it } from "vitest";
import { DOCS_SLUGS } from "../../../api/openapi/documentation/docs-pages.ts";
import { openApp } from "./open-document.ts";
import * as read from "./served-document.ts";
import { type Document, listRefs, listRefsWithSiblings } from "./served-document.ts";

interface Registered {
  method: string;
  url: string;
}

const registered: Registered[] = [];

// Every route is seen as fastify registers it, so that none can be left out of the document.
diagnostics.subscribe("fastify.initialization", watchRoutes);
const app = await openApp();
const served: Awaited<ReturnType<FastifyInstance["inject"]>> = await app.inject("/api/v1/openapi.json");
const document: Document = served.json();

afterAll(async () => {
  diagnostics.unsubscribe("fastify.initialization", watchRoutes);
  await app.close();
});

function watchRoutes(message: unknown): void {
  (message as { fastify: FastifyInstance }).fastify.addHook("onRoute", ({ method, url }) => {
    for (const name of [method].flat()) registered.push({ method: name, url });
  });
}

const listOperations = () => read.listOperations(document);
const find = (key: string) => read.find(document, key);
const listCodes = (key: string, status: number) => read.listCodes(document, key, status);
const resolve = (ref: string) => read.resolve(document, ref);

describe("the document as it is served", () => {
  it("is public JSON that other origins may read and keep for five minutes", () => {
    expect(served.statusCode).toBe(200);
    expect(served.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(served.headers["access-control-allow-origin"]).toBe("*");
    expect(served.headers["cache-control"]).toBe("public, max-age=300");
  });

  it("says what it describes and where that is", () => {
    expect(document.openapi).toBe("3.1.1");
    expect(document.info).toMatchObject({ title: "Broadsheet", version: "1", license: { name: "MIT" } });
    expect(document.servers).toEqual([{ url: "https://example.org" }]);
    expect(document.externalDocs.url).toBe("https://example.org/docs");
  });

  it("begins with the page that a stranger needs: each operation that it names is there", () => {
    const { description } = document.info;
    const ids = new Set(listOperations().map(({ operationId }) => operationId));
    const named = [...description.matchAll(/`((?:get|post|patch)[A-Z]\w+)`/g)].map(([, id = ""]) => id);
    expect(named.length).toBeGreaterThan(7);
    expect(named.filter((id) => !ids.has(id))).toEqual([]);
    const pages = [description, ...document.tags.map(({ externalDocs }) => externalDocs.url)].join(" ");
    const slugs: string[] = [...pages.matchAll(/example\.org\/docs\/([\w-]+)/g)].map(([, slug = ""]) => slug);
    expect(slugs.length).toBeGreaterThan(8);
    expect(slugs.filter((slug) => !DOCS_SLUGS.some((known) => known === slug))).toEqual([]);
    expect(document.tags.filter((tag) => !tag.description)).toEqual([]);
  });

  it("holds every route of the interface that is registered", () => {
    const documented = new Set(listOperations().map(({ key }) => key));
    const isOfInterface = ({ method, url }: Registered) =>
      !["HEAD", "OPTIONS"].includes(method) &&
      /^\/api\/|^(?!\/\.well-known\/).*\.(json|xml)$|\/rows(\/|$)/.test(url);
    const keys = registered
      .filter(isOfInterface)
      .map(({ method, url }) => `${method} ${url.replace(/:(\w+)/g, "{$1}")}`);
    expect(keys.length).toBeGreaterThan(20);
    expect(keys.filter((key) => !documented.has(key))).toEqual([]);
  });

  it("holds no operation that is not registered", () => {
    const known = new Set(
      registered.map(
        ({ method, url }) => `${method} ${url.replace(/:(\w+)/g, "{$1}").replace("*", "{tile}")}`,
      ),
    );
    expect(
      listOperations()
        .map(({ key }) => key)
        .filter((key) => !known.has(key)),
    ).toEqual([]);
  });

  it("refers to nothing that is missing", () => {
    const refs = [...new Set(listRefs(document))];
    expect(refs.length).toBeGreaterThan(40);
    expect(refs.filter((ref) => !ref.startsWith("#/") || resolve(ref) === undefined)).toEqual([]);
  });

  it("holds no component that nothing refers to", () => {
    const refs = new Set(listRefs(document));
    const unused = ["schemas", "parameters", "headers", "responses"].flatMap((kind) =>
      Object.keys(document.components[kind] ?? {})
        .map((name) => `#/components/${kind}/${name}`)
        .filter((ref) => !refs.has(ref)),
    );
    expect(unused).toEqual([]);
  });
});

describe("an operation", () => {
  it("has an id of its own in camel case", () => {
    const ids = listOperations().map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z]+([A-Z][A-Za-z0-9]*)*$/.test(id))).toEqual([]);
    expect(ids).toEqual(expect.arrayContaining(["getAgent", "getCreation", "postCreationPublish"]));
  });

  it("declares exactly the parameters of its path", () => {
    for (const { key, parameters } of listOperations()) {
      const named = [...key.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(parameters.filter((entry) => entry.in === "path").map((entry) => entry.name)).toEqual(named);
    }
    expect(Object.keys(document.paths)).toContain("/@{handle}/{slug}.json");
  });

  it("asks for a key and a version where the route does", () => {
    const refs = find("POST /api/v1/creations/{creation}/publish").parameters.map(({ $ref }) => $ref);
    expect(refs).toEqual(
      expect.arrayContaining(["#/components/parameters/IdempotencyKey", "#/components/parameters/IfMatch"]),
    );
    expect(JSON.stringify(find("GET /api/v1/agent").parameters)).not.toContain("IfMatch");
  });

  it("takes a file as it is or in a form, and everything else as JSON", () => {
    const types = listOperations().flatMap(({ key, requestBody }) =>
      Object.keys(requestBody?.content ?? {}).map((type) => [key, type]),
    );
    expect(types.filter(([, type]) => type !== "application/json")).toEqual([
      ["POST /api/v1/assets", "multipart/form-data"],
      ["POST /api/v1/creations/{creation}/append", "multipart/form-data"],
      ["PUT /api/v1/uploads/{upload}", "application/octet-stream"],
      ["POST /api/v1/uploads/{upload}", "multipart/form-data"],
    ]);
  });

  it("names the ability that its token needs, and none where no token is read", () => {
    expect(find("POST /api/v1/creations")["x-ability"]).toBe("creations:write");
    expect(find("POST /api/v1/creations").security).toEqual([{ token: [] }]);
    expect(find("POST /api/v1/agents").security).toEqual([{ enrolmentCode: [] }, {}]);
    expect(find("GET /feed.xml").security).toEqual([]);
    expect(find("GET /feed.xml")).not.toHaveProperty("x-ability");
  });

  it("carries an ETag exactly where there is a version or a public address", () => {
    expect(find("GET /api/v1/creations/{creation}").responses[200]?.headers).toHaveProperty("ETag");
    expect(find("GET /api/v1/assets/{asset}").responses[200]?.headers).not.toHaveProperty("ETag");
    expect(find("GET /feed.xml").responses[200]?.headers).toHaveProperty("ETag");
  });

  it("lists each refusal under its status", () => {
    const publish = "POST /api/v1/creations/{creation}/publish";
    expect(listCodes(publish, 403)).toEqual([
      ...["owner_suspended", "agent_suspended", "agent_pending_claim", "missing_ability", "agent_paused"],
      "publishing_blocked",
      "network_blocked",
    ]);
    expect(listCodes(publish, 409)).toContain("publication_limit");
    expect(listCodes(publish, 412)).toEqual(["version_mismatch"]);
    expect(listCodes(publish, 428)).toEqual(["precondition_required"]);
    expect(listCodes(publish, 429)).toEqual(["rate_limited"]);
    expect(listCodes("POST /api/v1/agent/heartbeat", 403)).not.toContain("agent_pending_claim");
    expect(listCodes("POST /api/v1/agent/heartbeat", 403)).not.toContain("agent_paused");
    expect(find("GET /feed.xml").responses).not.toHaveProperty("401");
  });

  it("says of each answer what it is, in the type that is sent", () => {
    const answers = listOperations().flatMap(({ key, responses }) =>
      Object.entries(responses).flatMap(([status, { content = {} }]) =>
        Object.entries(content).map(([type, { schema }]) => ({ key, status, type, schema })),
      ),
    );
    expect(answers.filter(({ schema, type }) => schema === undefined || type.includes("*"))).toEqual([]);
    const typed = answers.filter(({ schema }) => schema?.type === "string");
    expect(typed.map(({ key, type }) => `${key} ${type}`)).toEqual(
      expect.arrayContaining([
        "GET /sitemap.xml application/xml",
        "GET /sitemaps/{part}.xml application/xml",
        "GET /feed.xml application/atom+xml",
        "GET /@{handle}/{slug}/changes.xml application/atom+xml",
        "GET /media/{asset}/rows/all.csv text/csv",
        "GET /api/v1/assets/{asset}/content text/markdown",
      ]),
    );
    expect(find("GET /id/{id}").responses[302]?.content).toBeUndefined();
  });

  it("narrows the codes of a refusal beside the schema of all refusals, which is open for it", () => {
    const refusals = listOperations().flatMap(({ responses }) =>
      Object.values(responses).flatMap(({ content }) => content?.["application/json"]?.schema?.allOf ?? []),
    );
    expect(refusals.length).toBeGreaterThan(200);
    expect(listRefs(refusals)).toContain("#/components/schemas/Failure");
    expect(document.components.schemas?.Failure).toMatchObject({ additionalProperties: true });
    expect(listRefsWithSiblings(document)).toEqual([]);
  });
});

describe("a validator of OpenAPI 3.1", () => {
  it("finds no fault", async () => {
    const { errors = [], valid } = await new Validator().validate(JSON.parse(JSON.stringify(document)));
    expect(errors).toEqual([]);
    expect(valid).toBe(true);
  });
});
