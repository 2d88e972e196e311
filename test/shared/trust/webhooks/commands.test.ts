import { expect, test } from "vitest";
import { connectAgent, type Json } from "../../../support/agent.ts";
import { readWebhook } from "../../../support/own-webhooks.ts";
import { runBeside } from "../../../support/run-here.ts";
import { runSql } from "../../../support/tables.ts";
import { openWebhookSite } from "../../../support/webhook-site.ts";

const site = openWebhookSite();

const cli = (...args: string[]) =>
  runBeside(site.service, ["webhook", ...args], {
    DATA_DIR: site.service.deps.config.dataDir,
    OUTBOUND_ALLOW: site.receiver.host,
  });
/** A command's clock goes on from the service's, which stands. */
const deliver = async () => {
  site.service.clock.nowMs += 60_000;
  await site.deliver();
};
/** Adds a webhook of the receiver, unless `--url` names another. */
const add = (...more: string[]) => {
  const url = more.includes("--url") ? [] : ["--url", site.receiver.url];
  return cli("add", "--owner", site.agent.ownerId, ...url, ...more);
};

test("a webhook is added with its secret, listed without, tested and removed by command", async () => {
  const added: Json = (await add("--types", "token.leaked, creation.published")).json();
  const id = added.webhook_id;
  expect(added).toEqual({
    webhook_id: expect.stringMatching(/^[0-9A-Z]{26}$/),
    url: site.receiver.url,
    types: ["creation.published", "token.leaked"],
    status: "unverified",
    secret: expect.stringMatching(/^whsec_/),
  });
  expect((await cli("test", "--webhook", id)).refusal()).toMatchObject({ code: "http_error" });
  await deliver();
  const { webhooks }: Json = (await cli("list", "--owner", site.agent.ownerId)).json();
  expect(webhooks).toMatchObject([{ webhook_id: id, status: "active", agent_id: null, reason: null }]);
  expect(JSON.stringify(webhooks)).not.toContain("whsec_");
  expect((await cli("test", "--webhook", id)).json()).toMatchObject({ webhook_id: id, type: "webhook.test" });
  await deliver();
  expect(site.receiver.received()).toHaveLength(1);
  const { deliveries }: Json = (await cli("deliveries", "--webhook", id)).json();
  expect(deliveries).toEqual([
    expect.objectContaining({ type: "webhook.test", state: "delivered", status: 204 }),
    expect.objectContaining({ type: "webhook.verify" }),
  ]);
  const same: Json = (await cli("secret", "--webhook", id)).json();
  expect(same).toEqual({ webhook_id: id, secret: added.secret, previous_secret_ends_at: null });
  const fresh: Json = (await cli("secret", "--webhook", id, "--new")).json();
  expect([fresh.secret === added.secret, typeof fresh.previous_secret_ends_at]).toEqual([false, "string"]);
  expect((await cli("remove", "--webhook", id)).json()).toEqual({ webhook_id: id, removed: true });
  expect((await cli("remove", "--webhook", id)).refusal()).toMatchObject({ code: "not_found" });
});

test("a webhook of one agent is added by its handle, and a receiver asked again by command", async () => {
  site.receiver.consent = (reply) => void reply.writeHead(204).end();
  const added: Json = (await add("--types", "creation.published", "--agent", `@${site.agent.handle}`)).json();
  await deliver();
  expect(await readWebhook(site.service, added.webhook_id)).toMatchObject({
    ...{ status: "unverified", agent_id: site.agent.id },
  });
  site.receiver.reset();
  await cli("ask", "--webhook", added.webhook_id);
  await deliver();
  expect(await readWebhook(site.service, added.webhook_id)).toMatchObject({ status: "active" });
});

test("a mistake is told with its mend, and makes nothing", async () => {
  const stranger = await connectAgent(site.service);
  for (const [args, field, sentence] of [
    [["--types", "creation.publish"], "types", "Did you mean creation.published?"],
    [["--types", "webhook.test"], "types", "There is no type webhook.test"],
    [["--types", ","], "types", "Choose at least one"],
    [["--types", "creation.published", "--url", "http://example.org/"], "url", "must begin with https://"],
    [["--types", "creation.published", "--url", "https://example.org/a b"], "url", "hold no blank"],
    [["--types", "creation.published", "--url", "https://10.0.0.1/"], "url", "private or local address"],
    [["--types", "creation.published", "--agent", stranger.id], "agent", "must be one of this owner's"],
  ] as const) {
    expect((await add(...args)).refusal().errors?.[field]?.[0]).toContain(sentence);
  }
  expect(await runSql(site.service, "SELECT id FROM webhooks")).toEqual([]);
});
