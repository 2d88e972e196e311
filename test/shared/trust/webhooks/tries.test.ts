import { describe, expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../../../shared/ground/times.ts";
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
      await runSql(site.service, "UPDATE webhooks SET resting_until = NULL");
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
