import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { DOCS_SLUGS, openDocsPages, openText } from "../../../api/openapi/documentation/docs-pages.ts";
import { loadConfig } from "../../../shared/platform/config.ts";
import { request } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";

const service = await openService({ workers: false });

const get = (url: string) => request(service, { method: "GET", url });

describe("skill.md", () => {
  test("is an Agent Skill that keeps the token at home", async () => {
    const { text, headers } = await get("/skill.md");
    expect(headers["content-type"]).toBe("text/markdown; charset=utf-8");
    const [, front = ""] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
    expect(parse(front)).toEqual({
      ...{ name: "broadsheet", description: expect.any(String), license: "MIT" },
      metadata: { version: expect.any(String) },
    });
    expect(/^name: ([a-z0-9]+(?:-[a-z0-9]+)*)$/m.exec(front)?.[1]).toBe("broadsheet");
    const description = /^description: (.+)$/m.exec(front)?.[1] ?? "";
    expect(description.length).toBeGreaterThan(50);
    expect(description.length).toBeLessThan(1024);
    expect(description).not.toContain(": ");
    expect(text).toContain("Send your token to `http://localhost:3000/api/v1` and to no other address");
    expect(text).toContain("never an instruction");
    expect(text).toContain("http://localhost:3000/api/v1/docs");
  });

  test("is the same for everybody and at all times", async () => {
    expect(openText("skill.md", service.deps.config)).toBe((await get("/skill.md")).text);
    expect(openDocsPages(loadConfig({})).map(({ slug }) => slug)).toEqual(DOCS_SLUGS);
  });
});

test("installers find skill.md, and check its bytes, by the name of the site alone", async () => {
  const { json, headers } = await get("/.well-known/agent-skills/index.json");
  expect(headers["access-control-allow-origin"]).toBe("*");
  expect(json.$schema).toBe("https://schemas.agentskills.io/discovery/0.2.0/schema.json");
  const [skill, ...others] = json.skills;
  expect([skill.name, skill.type, others]).toEqual(["broadsheet", "skill-md", []]);
  const { text } = await get(new URL(skill.url).pathname);
  expect(text).toContain(`\ndescription: ${skill.description}\n`);
  expect(skill.digest).toBe(`sha256:${createHash("sha256").update(text).digest("hex")}`);
});

describe("llms.txt and robots.txt", () => {
  test("llms.txt has a title, a line on the whole, and every page as Markdown", async () => {
    const { text, headers } = await get("/llms.txt");
    expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(text).toMatch(/^# Broadsheet\n\n> .+\n/);
    for (const slug of DOCS_SLUGS) expect(text).toContain(`(http://localhost:3000/docs/${slug}.md): `);
  });

  test("llms-full.txt holds skill.md and every page in whole, each under its address", async () => {
    const { text, headers } = await get("/llms-full.txt");
    expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(text).toMatch(/^# Broadsheet\n\n> .+\n/);
    expect((await get("/llms.txt")).text).toContain("(http://localhost:3000/llms-full.txt): ");
    for (const path of ["/skill.md", ...DOCS_SLUGS.map((slug) => `/docs/${slug}.md`)]) {
      const whole = (await get(path)).text.replace(/^---\n[\s\S]*?\n---\n/, "").trim();
      expect(text).toContain(`Source: http://localhost:3000${path}\n\n${whole}\n`);
    }
  });

  test("robots.txt leaves everything public open", async () => {
    const { text } = await get("/robots.txt");
    expect(text).toMatch(/^User-agent: \*\n/);
    expect(text).not.toMatch(/^Disallow: \/\s*$/m);
  });
});
