import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openFolder } from "../../support/close-afterwards.ts";
import { usePackages } from "../../support/published-packages.ts";
import { openService } from "../../support/service.ts";
import { listen, runPublished } from "./published-tool.ts";

const CONFORMANCE = "@modelcontextprotocol/conformance@0.1.16";
const OWN_TOOL = "calls a tool of its own reference server, which is none of ours";
const OWN_RESOURCE = "reads a resource of its own reference server, which is none of ours";
const OWN_PROMPT = "gets a prompt of its own reference server, which is none of ours";
const ASKS_CLIENT = "wants a server that asks its client back, which one without sessions and streams cannot";
const STREAMS = "checks event streams; the suite skips it where there are none, as here";

/** Every scenario for servers: null where it must pass, otherwise why it cannot. */
const SCENARIOS: Record<string, string | null> = {
  "server-initialize": null,
  ping: null,
  "tools-list": null,
  "resources-list": null,
  "prompts-list": null,
  "dns-rebinding-protection": null,
  "logging-set-level": "wants log messages sent to the client; the capability is not offered",
  "completion-complete": "wants completion of arguments; the capability is not offered",
  "resources-subscribe": "wants subscriptions to resources; the capability is not offered",
  "resources-unsubscribe": "wants subscriptions to resources; the capability is not offered",
  "tools-call-simple-text": OWN_TOOL,
  "tools-call-image": OWN_TOOL,
  "tools-call-audio": OWN_TOOL,
  "tools-call-embedded-resource": OWN_TOOL,
  "tools-call-mixed-content": OWN_TOOL,
  "tools-call-error": OWN_TOOL,
  "json-schema-2020-12": OWN_TOOL,
  "tools-call-with-logging": ASKS_CLIENT,
  "tools-call-with-progress": ASKS_CLIENT,
  "tools-call-sampling": ASKS_CLIENT,
  "tools-call-elicitation": ASKS_CLIENT,
  "elicitation-sep1034-defaults": ASKS_CLIENT,
  "elicitation-sep1330-enums": ASKS_CLIENT,
  "server-sse-polling": STREAMS,
  "server-sse-multiple-streams": STREAMS,
  "resources-read-text": OWN_RESOURCE,
  "resources-read-binary": OWN_RESOURCE,
  "resources-templates-read": OWN_RESOURCE,
  "prompts-get-simple": OWN_PROMPT,
  "prompts-get-with-args": OWN_PROMPT,
  "prompts-get-embedded-resource": OWN_PROMPT,
  "prompts-get-with-image": OWN_PROMPT,
};

const installed = await usePackages(CONFORMANCE);
const manifest = join(installed ?? "", "node_modules", "@modelcontextprotocol/conformance", "package.json");
const service = await openService({ workers: false });
const folder = await openFolder();
const summary = new Map<string, { passed: number; failed: number }>();
if (installed !== null) {
  const url = `${await listen(service)}/mcp`;
  const args = ["server", "--url", url, "--suite", "all", "--output-dir", folder];
  const { stdout } = await runPublished(manifest, "conformance", args, folder);
  for (const [, name = "", passed, failed] of stdout.matchAll(
    /^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed/gmu,
  ))
    summary.set(name, { passed: Number(passed), failed: Number(failed) });
}

describe("the official conformance suite", () => {
  test("has no scenario that is not spoken of here", async () => {
    const { stdout } = await runPublished(manifest, "conformance", ["list", "--server"], folder);
    const listed = Array.from(stdout.matchAll(/^ {2}- (\S+) /gm), ([, name]) => name);
    expect(listed.toSorted()).toEqual(Object.keys(SCENARIOS).toSorted());
  });

  test.each(Object.entries(SCENARIOS).filter(([, reason]) => reason === null))("passes %s", (name) => {
    const { passed, failed } = summary.get(name) ?? { passed: 0, failed: 1 };
    expect([passed > 0, failed]).toEqual([true, 0]);
  });

  test.each(Object.entries(SCENARIOS).filter(([, reason]) => reason !== null))(
    "does not pass %s, which %s",
    (name) => {
      expect(summary.get(name)?.passed).toBe(0);
    },
  );
});
