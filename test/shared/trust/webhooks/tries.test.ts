import { describe, expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../../../shared/ground/times.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { sendTest } from "../../../../shared/trust/webhooks/ask-receiver.ts";
import { listSent } from "../../../support/own-webhooks.ts";
import { runSql } from "../../../support/tables.ts";
import { openWebhookSite } from "../../../support/webhook-site.ts";

const site = openWebhookSite();

describe("the tries of a delivery", () => {
  test("follow the schedule, each within a tenth of its pause, and end after the tenth", async () => {
    const { id } = await site.openWebhook();
    site.receiver.answer = (reply) => void reply.writeHead(500).end();
    await site.publishOne();
    await site.deliver();
    const hours = (count: number) => count * HOUR_MS;
    const pauses = [5_000, 5 * MINUTE_MS, 30 * MINUTE_MS, ...[2, 5, 10, 14, 20, 24].map(hours)];
    const [{ due_at: firstDue, tried_at: first }] = await listSent(site.service, id);
    expect(site.receiver.received()).toHaveLength(1);
    let due = firstDue;
    let tried = first;
    for (const [index, pause] of pauses.entries()) {
      const spread = (due.getTime() - tried.getTime()) / pause;
      expect(spread, `pause ${index}`).toBeGreaterThanOrEqual(0.9);
      expect(spread, `pause ${index}`).toBeLessThanOrEqual(1.1);
      site.service.clock.nowMs = due.getTime() - 1;
      await site.deliver();
      expect(site.receiver.received()).toHaveLength(index + 1);
      site.service.clock.nowMs = due.getTime();
      // What failed for three days would switch the webhook off before the last tries.
      await runSql(site.service, "UPDATE webhooks SET failing_since = $1", [due]);
      await site.deliver();
      const [row] = await listSent(site.service, id);
      expect(row).toMatchObject({ tries: index + 2, status: 500, failure: "status" });
      due = row.due_at;
      tried = row.tried_at;
    }
    expect(await listSent(site.service, id)).toMatchObject([{ state: "failed", tries: 10 }]);
    const told = site.receiver.received();
    expect(new Set(told.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(told.map(({ text }) => text)).size).toBe(1);
    expect(new Set(told.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(10);
  });

  test("wait as long as the receiver says, a day at most, and then nothing else is sent to one that is busy", async () => {
    const { id } = await site.openWebhook();
    const wish = async (status: number, header: string) => {
      site.receiver.answer = (reply) => void reply.writeHead(status, { "retry-after": header }).end();
      await runSql(site.service, "UPDATE webhooks SET resting_until = NULL, failures = 0");
      await site.publishOne();
      const nowMs = site.service.clock.nowMs;
      await site.deliver();
      const row = (await listSent(site.service, id)).at(-1);
      return Math.round((row.due_at.getTime() - nowMs) / 1000);
    };
    expect(await wish(500, "60")).toBe(60);
    // A date has no fractions of a second.
    const date = new Date(Math.ceil(site.service.clock.nowMs / 1000) * 1000 + HOUR_MS).toUTCString();
    const hour = await wish(503, date);
    expect(hour - 3600).toBeLessThanOrEqual(1);
    expect(hour).toBeGreaterThanOrEqual(3600);
    expect(await wish(429, "1000000")).toBe(86_400);
    for (const header of ["-5", "0", "soon", "1e9", ""]) expect(await wish(500, header)).toBeLessThan(6);
    expect(await wish(429, "30")).toBe(30);
    const before = site.receiver.received().length;
    await site.publishOne();
    await site.deliver();
    expect(site.receiver.received()).toHaveLength(before);
    site.service.clock.nowMs += 30_000;
    site.receiver.answer = (reply) => void reply.writeHead(204).end();
    await site.deliver();
    expect(site.receiver.received().length).toBeGreaterThan(before);
  });

  test.each([
    [301, "status"],
    [404, "status"],
  ])("with the answer %i are failures", async (status, failure) => {
    const { id } = await site.openWebhook();
    site.receiver.answer = (reply) => void reply.writeHead(status, { location: site.other.url }).end();
    await site.publishOne();
    await site.deliver();
    expect(await listSent(site.service, id)).toMatchObject([{ state: "waiting", status, failure, tries: 1 }]);
    expect(site.other.all).toEqual([]);
  });

  test("that never end are given up, and what a killed process began is sent again", async () => {
    const { id } = await site.openWebhook();
    await site.publishOne();
    await site.deliver();
    // As a process leaves it that is killed in the middle.
    const untilMs = site.service.clock.nowMs + 25_000;
    await runSql(
      site.service,
      "UPDATE webhook_deliveries SET state = 'waiting', claimed_until = $1, due_at = $2 WHERE webhook_id = $3 AND position IS NOT NULL",
      [new Date(untilMs), new Date(site.service.clock.nowMs), id],
    );
    await site.deliver();
    expect(site.receiver.received()).toHaveLength(1);
    site.service.clock.nowMs = untilMs;
    await site.deliver();
    expect(site.receiver.received()).toHaveLength(2);
    expect(await listSent(site.service, id)).toMatchObject([{ state: "delivered", tries: 2 }]);
  });
});

const questions = () => site.receiver.all.filter(({ json }) => json.type === "webhook.verify").length;

describe("a receiver that fails again and again", () => {
  test("is called by one delivery at a time after three failures, with growing pauses, until one succeeds", async () => {
    await site.openWebhook();
    // The first failure is noted while three are still on their way.
    const pausesMs = [0, 300, 300, 300];
    site.receiver.answer = (reply) => void setTimeout(() => reply.writeHead(500).end(), pausesMs.shift());
    for (let count = 0; count < 12; count++) await site.publishOne();
    await site.deliver();
    expect(site.receiver.received()).toHaveLength(4);
    const calls: number[] = [];
    for (let seconds = 0; seconds < 400; seconds += 5) {
      site.service.clock.nowMs += 5_000;
      const before = site.receiver.received().length;
      await site.deliver();
      const made = site.receiver.received().length - before;
      expect(made).toBeLessThanOrEqual(1);
      if (made > 0) calls.push(seconds + 5);
    }
    // Four at once were the first: the pause of the fourth failure in a row is 20 seconds.
    expect(calls).toEqual([20, 60, 140, 300]);
    site.receiver.answer = (reply) => void reply.writeHead(204).end();
    site.service.clock.nowMs += HOUR_MS;
    await site.deliver();
    expect(new Set(site.receiver.received().map(({ json }) => json.data.id)).size).toBe(12);
  });

  test("that takes no connection is asked for its consent before the next delivery, at most once in five minutes", async () => {
    const { id } = await site.openWebhook();
    const at = (ms: number) => {
      site.service.clock.nowMs += ms;
      return site.deliver();
    };
    await runSql(site.service, "UPDATE webhooks SET url = 'http://127.0.0.1:1/hook'");
    site.service.deps.outboundNetwork.allowed = new Set([
      ...site.service.deps.outboundNetwork.allowed,
      "webhook 127.0.0.1:1",
    ]);
    await site.publishOne();
    await site.deliver();
    expect(await listSent(site.service, id)).toMatchObject([{ failure: "connection_failed", tries: 1 }]);
    await site.publishOne();
    // What is due waits for the question, and the question for its time.
    await at(4_999);
    expect((await listSent(site.service, id)).map(({ tries }) => tries)).toEqual([1, 0]);
    await at(1);
    await runSql(site.service, "UPDATE webhooks SET url = $1", [site.receiver.url]);
    expect(questions()).toBe(1);
    await at(5 * MINUTE_MS - 1_000);
    expect([questions(), site.receiver.received().length]).toEqual([1, 0]);
    await at(1_000 + MINUTE_MS);
    await site.deliver();
    expect([questions(), site.receiver.received().length]).toEqual([2, 2]);
    expect(await listSent(site.service, id)).toMatchObject([{ state: "delivered" }, { state: "delivered" }]);
    // It is asked at most once in five minutes, also where it consented in between; now it knows no TLS.
    await runSql(site.service, "UPDATE webhooks SET url = replace(url, 'http:', 'https:')");
    await sendTest(site.service.deps, COMMAND_LINE, { ownerId: null, id });
    await site.deliver();
    await runSql(site.service, "UPDATE webhooks SET url = $1", [site.receiver.url]);
    await at(4 * MINUTE_MS);
    expect(questions()).toBe(2);
    await at(MINUTE_MS);
    expect(questions()).toBe(3);
  });

  test("is asked again after three failures where its name leads to no address that consented", async () => {
    const { id } = await site.openWebhook();
    site.receiver.answer = (reply) => void reply.writeHead(500).end();
    await site.publishOne();
    const fail = async () => {
      site.service.clock.nowMs += HOUR_MS;
      await site.deliver();
    };
    await site.deliver();
    for (const _ of [2, 3]) await fail();
    expect(questions()).toBe(1);
    await runSql(site.service, "UPDATE webhooks SET consented_address = '192.0.2.1'");
    site.service.clock.nowMs += 2 * HOUR_MS;
    await site.deliver();
    site.service.clock.nowMs += MINUTE_MS;
    site.receiver.answer = (reply) => void reply.writeHead(204).end();
    await site.deliver();
    expect(questions()).toBe(2);
    const [{ consented_address, consent_due, failures }] = await runSql(
      site.service,
      "SELECT * FROM webhooks WHERE id = $1",
      [id],
    );
    expect([consented_address, consent_due, failures]).toEqual(["127.0.0.1", false, 0]);
  });

  test("is called no oftener in a minute than an owner's webhooks may be, together", async () => {
    const limits = site.service.deps.config.limits as { webhookCallsPerMinute: number };
    const usual = limits.webhookCallsPerMinute;
    await site.openWebhook();
    await site.openWebhook({ url: site.other.url });
    limits.webhookCallsPerMinute = 5;
    try {
      site.service.clock.nowMs += MINUTE_MS;
      for (let count = 0; count < 4; count++) await site.publishOne();
      await site.deliver();
      await site.deliver();
      const made = () => site.receiver.received().length + site.other.received().length;
      expect(made()).toBe(5);
      site.service.clock.nowMs += MINUTE_MS;
      await site.deliver();
      expect(made()).toBe(8);
    } finally {
      limits.webhookCallsPerMinute = usual;
    }
  });
});
