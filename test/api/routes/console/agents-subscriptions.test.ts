import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { openDashboard, signInAgain } from "../../../support/owner-dashboard.ts";
import { openSubscriber } from "../../../support/subscriber.ts";
import { runSql } from "../../../support/tables.ts";
import { openWebhookSite } from "../../../support/webhook-site.ts";

const site = openWebhookSite();
const client = openSubscriber(site);

test("an owner sees an agent's subscriptions, ends one, and forbids them", async () => {
  const { ownerId } = site.agent;
  const [{ email }] = await runSql(site.service, "SELECT email FROM owners WHERE id = $1", [ownerId]);
  const dashboard = await signInAgain(site.service, { ownerId, email });
  const page = `/console/agents/${site.agent.id}`;
  await client.subscribe();
  const { text } = await dashboard.get(page);
  expect(text).toContain(site.receiver.host);
  expect(text).not.toContain(site.receiver.url);
  const [end = ""] = /\/console\/agents\/\w+\/subscriptions\/\w{26}\/end/.exec(text) ?? [];
  const others = await openDashboard(site.service);
  expect((await others.post(end)).status).toBe(404);
  expect((await dashboard.post(end)).status).toBe(303);
  expect(await client.countRows()).toBe(0);
  await site.service.deps.background.idle();
  const [told] = site.receiver.received();
  expect(told?.json).toMatchObject({ type: "terminated", error: { code: -32012 } });
  expect(told?.headers["webhook-id"]).toMatch(/^msg_terminated_/);
  const at = new Date(site.service.clock.nowMs);
  const mark = new Webhook(client.secret).sign(String(told?.headers["webhook-id"]), at, told?.text ?? "");
  expect(told?.headers["webhook-signature"]).toBe(mark);
  await client.subscribe();
  expect((await dashboard.post(`${page}/subscriptions/off`)).status).toBe(303);
  expect(await client.countRows()).toBe(0);
  expect((await client.errorOf(client.wish())).code).toBe(-32012);
  expect((await dashboard.get(page)).text).toContain("Allow subscriptions");
  expect((await dashboard.post(`${page}/subscriptions/on`)).status).toBe(303);
  await client.subscribe();
});
