import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TOOLS } from "../../../api/mcp/tools.ts";
import { DOCS_SLUGS } from "../../../api/openapi/documentation/docs-pages.ts";
import { connectAgent, type Json } from "../../support/agent.ts";
import { openFolder } from "../../support/close-afterwards.ts";
import { usePackages } from "../../support/published-packages.ts";
import { openService } from "../../support/service.ts";
import { listen, runPublished } from "./published-tool.ts";

const INSPECTOR = "@modelcontextprotocol/inspector@2.12.0";

const installed = await usePackages(INSPECTOR);
const manifest = join(installed ?? "", "node_modules", "@modelcontextprotocol/inspector", "package.json");
const service = await openService({ workers: false });
const agent = await connectAgent(service);
const folder = await openFolder();
const url = `${await listen(service)}/mcp`;

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
