import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { sweepExpiredRows } from "../../../../shared/care/sweeps.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, toIso } from "../../../../shared/ground/times.ts";
import { endToken } from "../../../../shared/identity/agents/change-tokens.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import {
  allowSubscriptions,
  endSubscription,
  presentSubscriptions,
} from "../../../../shared/trust/webhooks/subscriptions.ts";
import type { Json } from "../../../support/agent.ts";
import { newSecret, openSubscriber } from "../../../support/subscriber.ts";
import { runSql } from "../../../support/tables.ts";
import { openWebhookSite } from "../../../support/webhook-site.ts";

const site = openWebhookSite();
const client = openSubscriber(site);
const { ask, wish, subscribe, errorOf, bodies, countRows } = client;

describe("a subscription", () => {
  test("begins once its receiver echoed the challenge, and each event comes signed with its secret", async () => {
    const told = await subscribe();
    const { nowMs } = site.service.clock;
    expect(told).toMatchObject({ refreshBefore: toIso(nowMs + HOUR_MS), truncated: false });
    expect(told.id).toMatch(/^sub_[0-9a-f]{32}$/);
    const [question] = site.receiver.all;
    expect(question?.json).toEqual({ type: "verification", challenge: expect.any(String) });
    expect(question?.headers["webhook-id"]).toMatch(/^msg_verification_/);
    const work = await site.publishOne();
    await site.deliver();
    const [event, ...others] = site.receiver.received();
    expect(others).toEqual([]);
    const { json: rest } = await site.agent.get("/events?types=creation.published");
    const [{ id }] = rest.data.filter((one: Json) => one.creation_id === work.id);
    expect(event?.headers).toMatchObject({ "webhook-id": id, "x-mcp-subscription-id": told.id });
    expect(event?.json).toMatchObject({
      eventId: id,
      name: "creation.published",
      cursor: expect.any(String),
    });
    expect(event?.json.data).toMatchObject({ creation_id: work.id, reason: "own", revision_number: 1 });
    const webhook = new Webhook(client.secret);
    const wallClock = { "webhook-timestamp": String(Math.floor(nowMs / 1000)) };
    expect(event?.headers).toMatchObject(wallClock);
    const at = new Date(nowMs);
    const signature = webhook.sign(id, at, event?.text ?? "");
    expect(event?.headers["webhook-signature"]).toBe(signature);
    // What polls from the cursor goes on behind what was answered.
    const after = (await ask("events/poll", { name: "creation.published", cursor: told.cursor })).json.result;
    expect(after.events.map((one: Json) => one.eventId)).toEqual([id]);
  });

  test("is told what its arguments ask for, and of one type alone", async () => {
    const [one, two] = [await site.publishOne(), await site.publishOne()];
    await site.deliver();
    await subscribe({ name: "creation.unpublished", arguments: { creation_id: two.id } });
    for (const work of [one, two]) {
      const { status } = await site.agent.send(
        "POST",
        `/creations/${work.id}/unpublish`,
        {},
        { ifMatch: work.lock_version },
      );
      expect(status).toBe(200);
    }
    await site.deliver();
    expect(bodies().map(({ data }) => data.creation_id)).toEqual([two.id]);
    await subscribe({ arguments: { by: "others" } });
    await site.publishOne();
    await site.deliver();
    expect(bodies()).toHaveLength(1);
  });

  test("is renewed by the same wish without another challenge, and a new secret signs beside the old for a day", async () => {
    const first = await subscribe();
    const old = client.secret;
    client.secret = newSecret();
    const again = await subscribe({ ttlMs: 2 * HOUR_MS });
    expect(again.id).toBe(first.id);
    expect(again.refreshBefore).toBe(toIso(site.service.clock.nowMs + 2 * HOUR_MS));
    expect(site.receiver.all).toHaveLength(1);
    await site.publishOne();
    await site.deliver();
    const [event] = site.receiver.received();
    const at = new Date(site.service.clock.nowMs);
    const id = String(event?.headers["webhook-id"]);
    const marks = [client.secret, old].map((one) => new Webhook(one).sign(id, at, event?.text ?? ""));
    expect(event?.headers["webhook-signature"]).toBe(marks.join(" "));
    expect(await countRows()).toBe(1);
  });

  test.each([
    [1, MINUTE_MS],
    [undefined, HOUR_MS],
    [30 * DAY_MS, 7 * DAY_MS],
    [null, 7 * DAY_MS],
  ])("that asks for %s ms has %s", async (ttlMs, granted) => {
    const { refreshBefore } = await subscribe(ttlMs === undefined ? {} : { ttlMs });
    expect(refreshBefore).toBe(toIso(site.service.clock.nowMs + granted));
  });

  test("that is not renewed ends with its secret, and begins again where its cursor says", async () => {
    const { cursor } = await subscribe();
    const sealed = await runSql(site.service, "SELECT sealed_secret FROM webhooks");
    expect(JSON.stringify(sealed)).not.toContain(client.secret.slice(6, 20));
    site.service.clock.nowMs += HOUR_MS;
    const missed = await site.publishOne();
    await site.deliver();
    expect(bodies()).toEqual([]);
    await sweepExpiredRows(site.service.deps);
    expect(await countRows()).toBe(0);
    expect((await subscribe({ cursor })).truncated).toBe(false);
    await site.deliver();
    expect(bodies().map(({ data }) => data.creation_id)).toEqual([missed.id]);
  });

  test("leaves out what is older than its client wants, and says so", async () => {
    const { cursor } = (await ask("events/poll", { name: "creation.published" })).json.result;
    await site.publishOne();
    await site.deliver();
    site.service.clock.nowMs += HOUR_MS;
    expect((await subscribe({ cursor, maxAgeMs: MINUTE_MS })).truncated).toBe(true);
    await site.deliver();
    expect(bodies()).toEqual([]);
  });

  test("that fails is tried again, and its cursor stays before what waits", async () => {
    const { cursor } = await subscribe();
    site.receiver.answer = (reply) => void reply.writeHead(503).end();
    const [one, two] = [await site.publishOne(), await site.publishOne()];
    await site.deliver();
    const renewed = await subscribe();
    site.receiver.answer = (reply) => void reply.writeHead(204).end();
    site.service.clock.nowMs += MINUTE_MS;
    await site.deliver();
    site.service.clock.nowMs += HOUR_MS / 2;
    await site.deliver();
    const arrived = new Set(bodies().map(({ data }) => data.creation_id));
    expect(arrived).toEqual(new Set([one.id, two.id]));
    for (const place of [cursor, renewed.cursor]) {
      const { events } = (await ask("events/poll", { name: "creation.published", cursor: place })).json
        .result;
      expect(events).toHaveLength(2);
    }
  });

  test.each([410, 413])("ends where its receiver answers %s", async (status) => {
    await subscribe();
    site.receiver.answer = (reply) => void reply.writeHead(status).end();
    await site.publishOne();
    await site.deliver();
    expect(await countRows()).toBe(0);
  });

  test("ends with the token that made it, and when its client says so", async () => {
    await subscribe();
    expect((await ask("events/unsubscribe", wish())).json.result).toBeDefined();
    expect(await countRows()).toBe(0);
    expect(await errorOf(wish(), "events/unsubscribe")).toMatchObject({
      ...{ code: -32011, data: { kind: "subscription" } },
    });
    await subscribe();
    await site.publishOne();
    const [{ token_id }] = await runSql(site.service, "SELECT token_id FROM webhooks");
    await endToken(site.service.deps, COMMAND_LINE, site.agent.id, token_id);
    await site.deliver();
    expect(bodies()).toEqual([]);
    await sweepExpiredRows(site.service.deps);
    expect(await countRows()).toBe(0);
  });
});

describe("the owner", () => {
  test("sees subscriptions without their paths, ends one, and forbids them all", async () => {
    const { deps } = site.service;
    await subscribe();
    const shown = await presentSubscriptions(deps, site.agent.id);
    expect(shown.subscriptions).toMatchObject([{ type: "creation.published", host: site.receiver.host }]);
    await endSubscription(deps, COMMAND_LINE, site.agent.id, shown.subscriptions[0]?.id ?? "");
    expect(await countRows()).toBe(0);
    await subscribe();
    expect(await allowSubscriptions(deps, COMMAND_LINE, site.agent.id, false)).toMatchObject({ ended: 1 });
    expect(await errorOf(wish())).toMatchObject({ code: -32012 });
    await allowSubscriptions(deps, COMMAND_LINE, site.agent.id, true);
    await subscribe();
  });
});
