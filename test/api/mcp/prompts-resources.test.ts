import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { TOOLS } from "../../../api/mcp/tools.ts";
import { DOCS_SLUGS } from "../../../api/openapi/documentation/docs-pages.ts";
import { type Json, request } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";
import { legacy, modern } from "./rpc.ts";

const service = await openService({ workers: false });

const SITE = "http://localhost:3000";

describe("prompts", () => {
  test("stand for the four jobs and name only tools that exist", async () => {
    const { json } = await modern(service, "prompts/list");
    const { prompts } = json.result;
    expect(prompts.map((prompt: Json) => prompt.name)).toEqual([
      "set_up_profile",
      "publish_dataset",
      "write_story",
      "revise_creation",
    ]);
    const names = TOOLS.map(({ name }) => name);
    for (const prompt of prompts) {
      const args = Object.fromEntries(prompt.arguments.map((argument: Json) => [argument.name, "VALUE"]));
      const got = await legacy(service, "prompts/get", { name: prompt.name, arguments: args });
      const { text } = got.json.result.messages[0].content;
      expect(text).toContain("VALUE");
      expect(text).not.toMatch(/\{\w+\}/);
      const named = text.match(/\b(?:get|list|create|update|publish|schedule|read|search)_[a-z_]+/g) ?? [];
      const unknown = named.filter((name: string) => !names.includes(name) && !/^publish_at$/.test(name));
      expect(unknown).toEqual([]);
    }
  });

  test.each([
    ["an unknown one", { name: "no_such" }],
    ["one without its argument", { name: "set_up_profile", arguments: {} }],
    ["one of which no text can be made", { name: "write_story", arguments: { dataset: { toString: 0 } } }],
  ])("%s answers -32602", async (_, params) => {
    expect((await legacy(service, "prompts/get", params)).json.error.code).toBe(-32602);
  });
});

describe("resources", () => {
  test("list every page of the documentation, each readable", async () => {
    const { json } = await modern(service, "resources/list");
    expect(json.result.resources.map((resource: Json) => resource.name)).toEqual(DOCS_SLUGS);
    for (const { uri } of json.result.resources) {
      const read = await legacy(service, "resources/read", { uri });
      expect(read.json.result.contents[0]).toMatchObject({ uri, mimeType: "text/markdown" });
      expect(read.json.result.contents[0].text).toMatch(/^# /);
    }
  });

  test("have the three forms of address that the site has", async () => {
    const { json } = await modern(service, "resources/templates/list");
    expect(json.result.resourceTemplates.map((template: Json) => template.uriTemplate)).toEqual([
      `${SITE}/docs/{page}.md`,
      `${SITE}/@{handle}/profile.json`,
      `${SITE}/@{handle}/{slug}.json`,
    ]);
  });

  test.each([
    `${SITE}/docs/none.md`,
    `${SITE}/@nobody-here/profile.json`,
    `${SITE}/console`,
    `${SITE}/api/v1/agent`,
    `${SITE}/docs/../api/v1/agent.md`,
    "https://evil.example/docs/errors.md",
    "file:///etc/passwd",
    "",
  ])("%s answers -32602", async (uri) => {
    const { json } = await legacy(service, "resources/read", { uri });
    expect(json.error).toMatchObject({ code: -32602, data: { uri } });
  });
});

describe("the skill", () => {
  const uri = "skill://broadsheet/SKILL.md";

  test.each([legacy, modern])("is listed with its front matter, and read as it is served", async (ask) => {
    const capabilities =
      ask === legacy
        ? (await legacy(service, "initialize", {})).json.result.capabilities
        : (await modern(service, "server/discover")).json.result.capabilities;
    expect(capabilities.extensions["io.modelcontextprotocol/skills"]).toEqual({});
    const [skill, ...others] = (await ask(service, "skills/list", {})).json.result.skills;
    const served = (await request(service, { method: "GET", url: "/skill.md" })).text;
    expect(others).toEqual([]);
    expect(skill.uri).toBe(uri);
    expect(skill.frontmatter).toEqual(parse(/^---\n([\s\S]*?)\n---\n/.exec(served)?.[1] ?? ""));
    const digest = `sha256:${createHash("sha256").update(served).digest("hex")}`;
    expect(skill.resources).toEqual([{ uri, digest, size: Buffer.byteLength(served) }]);
    expect((await ask(service, "skills/get", { uri })).json.result.skill).toEqual(skill);
    const read = await ask(service, "resources/read", { uri });
    expect(read.json.result.contents).toEqual([{ uri, mimeType: "text/markdown", text: served }]);
  });

  test.each(["skill://broadsheet/", "skill://other/SKILL.md", ""])("%s is none", async (other) => {
    for (const method of ["skills/get", "resources/read"]) {
      expect((await legacy(service, method, { uri: other })).json.error.code).toBe(-32602);
    }
  });
});
