import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { choosePort } from "../../../../cli/embedded/port.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { openOutboundNetwork } from "../../../../shared/platform/outbound/network.ts";
import { sendTest } from "../../../../shared/trust/webhooks/ask-receiver.ts";
import { allow } from "../../../support/allow.ts";
import { makeWebhook, readWebhook } from "../../../support/own-webhooks.ts";
import { until } from "../../../support/service-process.ts";
import { openWebhookSite } from "../../../support/webhook-site.ts";

const page = readFileSync("api/docs/webhooks.md", "utf8");
const codeOf = (language: string) => page.split(`\`\`\`${language}\n`)[1]?.split("\n```")[0] ?? "";
const hasPython = spawnSync("python3", ["--version"]).status === 0;
if (!hasPython) console.warn("SKIPPED: without Python the receiver of the documentation in it is not run.");

const site = openWebhookSite();

test("the server of Node that the page shows consents, verifies and prints what it is sent", async () => {
  const { service, agent } = site;
  const port = await choosePort();
  const url = `http://127.0.0.1:${port}/`;
  service.deps.outboundNetwork = openOutboundNetwork(allow(`127.0.0.1:${port}`));
  // It compares with the clock of this machine.
  service.clock.nowMs = Date.now();
  const { id, secret } = await makeWebhook(service, { ownerId: agent.ownerId, url });
  const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret };
  const server = spawn(process.execPath, ["--input-type=module", "-e", codeOf("js")], { env });
  onTestFinished(async () => {
    const ended = once(server, "exit");
    server.kill("SIGKILL");
    await ended;
  });
  const forge = async () => (await fetch(url, { method: "POST", body: "{}" })).status;
  await until(async () => (await forge().catch(() => 0)) === 401, 20_000);
  await site.deliver();
  expect(await readWebhook(service, id)).toMatchObject({ status: "active" });
  const printed = once(createInterface(server.stdout), "line");
  const sent = await sendTest(service.deps, COMMAND_LINE, { ownerId: null, id });
  await site.deliver();
  expect((await printed)[0]).toBe(`webhook.test ${sent.message_id}`);
});

test.skipIf(!hasPython)(
  "the lines of Python that the page shows verify a delivery, and nothing else",
  async () => {
    site.service.deps.outboundNetwork = openOutboundNetwork(allow(site.receiver.host));
    const { id, secret } = await site.openWebhook();
    await sendTest(site.service.deps, COMMAND_LINE, { ownerId: null, id });
    await site.deliver();
    const [sent] = site.receiver.received();
    const given = { secret, headers: sent?.headers, body: sent?.text };
    const program = `${codeOf("python")}
import json, sys
given = json.load(sys.stdin)
secret, headers, body = given["secret"], given["headers"], given["body"].encode()
at = int(headers["webhook-timestamp"])
print([is_ours(secret, headers, text, lambda: at + late) for text, late in [(body, 0), (body + b" ", 0), (body, 301)]])`;
    const run = spawnSync("python3", ["-c", program], { input: JSON.stringify(given), encoding: "utf8" });
    expect([run.stdout.trim(), run.stderr]).toEqual(["[True, False, False]", ""]);
  },
);
