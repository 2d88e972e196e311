import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { TOOLS } from "../../../api/mcp/tools.ts";
import { DOCS_SLUGS } from "../../../api/openapi/documentation/docs-pages.ts";
import { connectAgent, type Json, type TestAgent } from "../../support/agent.ts";
import { installPackages, type PublishedPackages } from "../../support/published-packages.ts";
import { openService, type TestService } from "../../support/service.ts";
import { listen, runPublished } from "./published-tool.ts";

const INSPECTOR = "@modelcontextprotocol/inspector@2.12.0";

let service: TestService;
let agent: TestAgent;
let folder: string;
let installed: PublishedPackages | null;
let manifest: string;
let url: string;
beforeAll(async () => {
  installed = await installPackages([INSPECTOR]);
  if (installed === null) return;
  manifest = join(installed.folder, "node_modules", "@modelcontextprotocol/inspector", "package.json");
  service = await openService({ workers: false });
  agent = await connectAgent(service);
  folder = await mkdtemp(join(tmpdir(), "broadsheet-inspector-"));
  url = `${await listen(service)}/mcp`;
}, 300_000);
afterAll(async () => {
  if (installed === null) return;
  await service.close();
  await rm(folder, { recursive: true, force: true });
  await installed.remove();
});
// Without a registry there is nothing to run, which a run in CI counts as failed.
beforeEach((context) => context.skip(installed === null, `npm could not install ${INSPECTOR}`));

/** One run of the inspector's command line with the agent's token. */
async function inspect(era: string, method: string, ...more: string[]) {
  const header = `Authorization: Bearer ${agent.token}`;
  const known = ["--transport", "http", "--protocol-era", era, "--header", header, "--format", "json"];
  const args = ["--cli", url, ...known, "--method", method, ...more];
  return await runPublished(manifest, "mcp-inspector", args, folder);
}

async function read(era: string, method: string, ...more: string[]): Promise<Json> {
  const { code, stdout, stderr } = await inspect(era, method, ...more);
  if (code !== 0) throw new Error(`${method} ended with ${code}: ${stdout}${stderr}`);
  return JSON.parse(stdout).result;
}

describe.each(["legacy", "modern"])("the inspector's command line in the %s era", (era) => {
  test("lists tools, prompts and resources, and calls a tool with a token", async () => {
    const [tools, prompts, resources, called] = await Promise.all([
      read(era, "tools/list"),
      read(era, "prompts/list"),
      read(era, "resources/list"),
      read(era, "tools/call", "--tool-name", "get_agent"),
    ]);
    expect(tools.tools.map((tool: Json) => tool.name)).toEqual(TOOLS.map(({ name }) => name));
    expect(prompts.prompts).toHaveLength(4);
    expect(resources.resources.map((resource: Json) => resource.name)).toEqual(DOCS_SLUGS);
    expect(JSON.parse(called.content[0].text)).toMatchObject({ status: 200, data: { id: agent.id } });
  });

  test("passes typed arguments, and tells a refusal as one", async () => {
    const page = ["--tool-args-json", '{"per_page": 1}'];
    const listed = await read(era, "tools/call", "--tool-name", "list_creations", ...page);
    expect(JSON.parse(listed.content[0].text).meta).toMatchObject({ per_page: 1 });
    const named = ["--tool-name", "get_creation", "--tool-arg", "creation_id=none"];
    const { code, stdout } = await inspect(era, "tools/call", ...named);
    expect(code).toBe(5);
    expect(JSON.parse(JSON.parse(stdout).result.content[0].text)).toMatchObject({
      status: 404,
      code: "not_found",
    });
  });
});

test("finds no schema that a provider might refuse", async () => {
  const { code, stderr } = await inspect("legacy", "tools/list", "--strict");
  expect([code, stderr]).toEqual([0, ""]);
});
