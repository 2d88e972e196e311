import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { beforeEach, expect, test } from "vitest";
import { choosePort } from "../../cli/embedded/port.ts";
import type { Json } from "../support/agent.ts";
import { openFolder } from "../support/close-afterwards.ts";
import { openOAuthStage } from "../support/oauth-stage.ts";
import { usePackages } from "../support/published-packages.ts";
import { type ServiceProcess, startProcess, until } from "../support/service-process.ts";
import { isBrowserHere } from "../support/test-browser.ts";

const REMOTE = "mcp-remote@0.15.1";
const INSPECTOR = "@modelcontextprotocol/inspector@2.12.0";
const WITHIN_MS = 30_000;
const REFUSED_WITHIN_MS = 5_000;

const installed = await usePackages(REMOTE, INSPECTOR);
const folder = await openFolder();
const stage = await openOAuthStage();
// Without a browser there is nothing to run, which a run in CI counts as failed.
beforeEach((context) => context.skip(!isBrowserHere, "there is no Chromium here to consent in"));

/** The program of an installed package, and an environment in which it finds no browser to open. */
async function findProgram(name: string, bin: string) {
  const manifest = join(installed ?? "", "node_modules", name, "package.json");
  const path = JSON.parse(await readFile(manifest, "utf8")).bin[bin];
  return {
    program: join(dirname(manifest), path),
    // The inspector asks nobody to sign in where it neither has a terminal nor may open a browser.
    env: {
      HOME: folder,
      PATH: dirname(process.execPath),
      NO_COLOR: "1",
      MCP_AUTO_OPEN_ENABLED: "true",
      MCP_INSPECTOR_SECRET_STORE: "file",
    },
  };
}

/** The address of a request for consent in what a program wrote, once it is there. */
async function findAsked(written: () => string): Promise<string> {
  const find = () => new RegExp(`${stage.site}/oauth/authorize\\?[^\\s"']+`).exec(written())?.[0];
  await until(() => find() !== undefined, WITHIN_MS).catch((cause) => {
    throw new Error(`the program named no page of consent: ${written()}`, { cause });
  });
  return find() ?? "";
}

const briefOf = (words: string) => ({
  type: "brief",
  payload: { body_markdown: words },
  idempotency_key: randomUUID(),
});

test.each([
  ["/mcp/agent", "by-mcp-remote"],
  ["/mcp", "by-mcp-remote-at-root"],
])(
  "mcp-remote connects a program that speaks over pipes at %s, and publishes a brief",
  {
    timeout: 360_000,
  },
  async (path, handle) => {
    const { program, env } = await findProgram("mcp-remote", "mcp-remote");
    const args = [program, `${stage.site}${path}`];
    const transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: "pipe" });
    let written = "";
    transport.stderr?.on("data", (bytes) => {
      written += bytes;
    });
    const client = new Client({ name: "test", version: "1" });
    const connected = client.connect(transport, { timeout: 240_000 });
    try {
      // Without a token all but the private tools answers there: the first call of one asks to sign in.
      const isOpen = path === "/mcp";
      const first = isOpen ? connected.then(() => client.callTool({ name: "get_agent" })) : connected;
      await stage.consent(await findAsked(() => written), handle);
      await first;
      const call = async (name: string, given: Json = {}): Promise<Json> => {
        const result = (await client.callTool({ name, arguments: given })) as Json;
        if (result.isError) throw new Error(result.content[0].text);
        return JSON.parse(result.content[0].text);
      };
      await publishProfile(call);
      const url = await publishBrief(call, "The gauge rose, says a pipe.");
      expect(await (await fetch(url)).text()).toContain("The gauge rose, says a pipe.");
      await stage.end(handle);
      // It would wait for another consent.
      const options = { timeout: REFUSED_WITHIN_MS };
      await expect(client.callTool({ name: "get_agent" }, undefined, options)).rejects.toThrow();
    } finally {
      await client.close();
    }
  },
);

test.each([
  ["/mcp/agent", "by-inspector"],
  ["/mcp", "by-inspector-at-root"],
])(
  "the inspector's command line signs in at %s, publishes a brief, and is shut out",
  {
    timeout: 360_000,
  },
  async (path, handle) => {
    const callback = `http://127.0.0.1:${await choosePort()}/oauth/callback`;
    const { program, env } = await findProgram("@modelcontextprotocol/inspector", "mcp-inspector");
    const start = (name: string, given: object, ...more: string[]): ServiceProcess => {
      const how = ["--cli", `${stage.site}${path}`, "--transport", "http", "--callback-url", callback];
      const tool = ["--method", "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(given)];
      const args = [program, ...how, ...tool, "--format", "json", ...more];
      return startProcess({ command: process.execPath, args, cwd: folder, env });
    };
    const end = async (running: ServiceProcess) => {
      const { code } = await running.ended;
      const written = running.lines.map(({ text }) => text).join("\n");
      return { code, written, stderr: running.stderr() };
    };
    const first = start("get_agent", {});
    await stage.consent(
      await findAsked(() => `${first.stderr()}${first.lines.map(({ text }) => text).join("\n")}`),
      handle,
    );
    expect((await end(first)).code).toBe(0);
    const call = async (name: string, given: Json = {}): Promise<Json> => {
      const { code, written, stderr } = await end(start(name, given, "--stored-auth-only"));
      if (code !== 0) throw new Error(`${name} ended with ${code}: ${written}${stderr}`);
      return JSON.parse(JSON.parse(written).result.content[0].text);
    };
    await publishProfile(call);
    const url = await publishBrief(call, "The gauge rose, says a terminal.");
    expect(await (await fetch(url)).text()).toContain("The gauge rose, says a terminal.");
    await stage.end(handle);
    await expect(call("get_agent")).rejects.toThrow();
  },
);

type Call = (name: string, given?: Json) => Promise<Json>;

async function publishProfile(call: Call): Promise<void> {
  const { lock_version: first } = await call("get_profile");
  const { data, lock_version } = await call("update_profile", {
    display_name: "Tide Watch",
    lock_version: first,
  });
  const { revision_id } = data.draft;
  await call("publish_profile", { revision_id, lock_version, idempotency_key: randomUUID() });
}

async function publishBrief(call: Call, words: string): Promise<string> {
  const { data, lock_version } = await call("create_creation", briefOf(words));
  const revision_id = data.latest_revision.id;
  const published = { creation_id: data.id, revision_id, lock_version, idempotency_key: randomUUID() };
  return (await call("publish_creation", published)).data.public_url;
}
