import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../shared/ground/times.ts";
import { runAgentCommand } from "../../../../shared/identity/agents/agent-states.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { runOwnerCommand } from "../../../../shared/identity/owners/suspension.ts";
import { askAgain, sendAgain, sendTest } from "../../../../shared/trust/webhooks/ask-receiver.ts";
import { beginDeliveries } from "../../../../shared/trust/webhooks/deliver.ts";
import { removeWebhook } from "../../../../shared/trust/webhooks/own-webhooks.ts";
import { connectAgent, request } from "../../../support/agent.ts";
import { mailsTo } from "../../../support/mail-folder.ts";
import { beginAll, listSent, readWebhook } from "../../../support/own-webhooks.ts";
import { until } from "../../../support/service-process.ts";
import { runSql } from "../../../support/tables.ts";
import { openWebhookSite } from "../../../support/webhook-site.ts";
import { revise } from "../../../support/work-acts.ts";

const site = openWebhookSite();

describe("a webhook", () => {
  test("of which nothing arrives for three days is switched off, and its owner is told once", async () => {
    const { id } = await site.openWebhook();
    const [{ email }] = await runSql(site.service, "SELECT email FROM owners WHERE id = $1", [
      site.agent.ownerId,
    ]);
    site.receiver.answer = (reply) => void reply.destroy();
    await site.publishOne();
    await site.deliver();
    site.service.clock.nowMs += 3 * DAY_MS - MINUTE_MS;
    await site.deliver();
    expect(await readWebhook(site.service, id)).toMatchObject({ status: "active" });
    site.service.clock.nowMs += 11 * HOUR_MS;
    await site.publishOne();
    await site.deliver();
    expect(await readWebhook(site.service, id)).toMatchObject({
      status: "disabled",
      status_reason: "failing",
    });
    expect((await listSent(site.service, id)).map(({ state }) => state)).toEqual(["failed", "failed"]);
    const mails = (await mailsTo(site.service, email)).filter((mail) => mail.includes("was switched off"));
    expect(mails).toHaveLength(1);
    const before = site.receiver.all.length;
    await site.publishOne();
    await site.deliver();
    expect(site.receiver.all).toHaveLength(before);
    site.receiver.answer = (reply) => void reply.writeHead(204).end();
    await askAgain(site.service.deps, COMMAND_LINE, { ownerId: null, id });
    await site.publishOne();
    await site.deliver();
    expect(site.receiver.received()).toHaveLength(before - 1);
    expect(await readWebhook(site.service, id)).toMatchObject({ status: "active" });
    await site.publishOne();
    await site.deliver();
    expect(site.receiver.received()).toHaveLength(before);
  });

  test("that works now and then stays", async () => {
    const { id } = await site.openWebhook();
    for (let day = 0; day < 4; day++) {
      site.receiver.answer = (reply) => void reply.writeHead(500).end();
      await site.publishOne();
      await site.deliver();
      site.receiver.answer = (reply) => void reply.writeHead(204).end();
      await sendTest(site.service.deps, COMMAND_LINE, { ownerId: null, id });
      site.service.clock.nowMs += DAY_MS;
      await site.deliver();
    }
    expect(await readWebhook(site.service, id)).toMatchObject({ status: "active", failing_since: null });
  });

  test("whose receiver answers 410 has ended", async () => {
    const { id } = await site.openWebhook();
    site.receiver.answer = (reply) => void reply.writeHead(410).end();
    await site.publishOne();
    await site.publishOne();
    await site.deliver();
    expect(await readWebhook(site.service, id)).toMatchObject({ status: "ended" });
    expect((await listSent(site.service, id)).map(({ state }) => state)).toEqual(["failed", "failed"]);
    const before = site.receiver.all.length;
    for (const act of [askAgain, sendTest]) {
      await expect(act(site.service.deps, COMMAND_LINE, { ownerId: null, id })).rejects.toMatchObject({
        status: 409,
      });
    }
    site.service.clock.nowMs += DAY_MS;
    await site.deliver();
    expect(site.receiver.all).toHaveLength(before);
  });

  test("is sent four at once, and a slow one holds up no other", async () => {
    const slow = await site.openWebhook();
    await site.openWebhook({ url: site.other.url });
    const held: (() => void)[] = [];
    site.receiver.answer = (reply) => void held.push(() => reply.writeHead(204).end());
    for (let count = 0; count < 9; count++) await site.publishOne();
    await Promise.all([1, 2, 3].map(() => beginAll(site.service)));
    await until(() => site.other.received().length === 9 && held.length === 4, 10_000);
    // As several processes do at the same moment.
    await Promise.all([1, 2, 3].map(() => beginDeliveries(site.service.deps)));
    expect(site.receiver.mostOpen).toBe(4);
    expect(site.other.mostOpen).toBeLessThanOrEqual(4);
    const claimed = await listSent(site.service, slow.id);
    expect(claimed.filter(({ claimed_until: until }) => until !== null)).toHaveLength(4);
    site.receiver.answer = (reply) => void reply.writeHead(204).end();
    for (const release of held) release();
    // What a try leaves that was not the last of its four, the next round of the sweep begins.
    await until(async () => {
      await beginDeliveries(site.service.deps);
      return site.receiver.received().length === 9;
    }, 10_000);
    await site.service.deps.background.idle();
    expect(site.receiver.received()).toHaveLength(9);
    expect(site.receiver.mostOpen).toBe(4);
  });

  test("that is removed is sent nothing more", async () => {
    const { id } = await site.openWebhook();
    site.receiver.answer = (reply) => void reply.writeHead(500).end();
    await site.publishOne();
    await site.deliver();
    expect(site.receiver.received()).toHaveLength(1);
    await removeWebhook(site.service.deps, COMMAND_LINE, { ownerId: site.agent.ownerId, id });
    await site.publishOne();
    site.service.clock.nowMs += DAY_MS;
    await site.deliver();
    expect(site.receiver.received()).toHaveLength(1);
    expect(await listSent(site.service, id)).toEqual([]);
  });

  test("of a suspended owner or agent is sent nothing, also not what waited", async () => {
    for (const [suspend, lift] of [
      [
        () => runOwnerCommand(site.service.deps, COMMAND_LINE, site.agent.ownerId, "suspend"),
        () => runOwnerCommand(site.service.deps, COMMAND_LINE, site.agent.ownerId, "unsuspend"),
      ],
      [
        () => runAgentCommand(site.service.deps, COMMAND_LINE, site.agent.id, "suspend", null),
        () => runAgentCommand(site.service.deps, COMMAND_LINE, site.agent.id, "unsuspend", null),
      ],
    ] as const) {
      const { id } = await site.openWebhook();
      site.receiver.answer = (reply) => void reply.writeHead(500).end();
      await site.publishOne();
      await site.deliver();
      const before = site.receiver.all.length;
      await suspend();
      site.service.clock.nowMs += HOUR_MS;
      await site.deliver();
      expect(site.receiver.all).toHaveLength(before);
      expect(await listSent(site.service, id)).toMatchObject([{ state: "failed", failure: "closed" }]);
      await lift();
      site.receiver.answer = (reply) => void reply.writeHead(204).end();
      await site.publishOne();
      await site.deliver();
      expect(site.receiver.all).toHaveLength(before + 1);
      await removeWebhook(site.service.deps, COMMAND_LINE, { ownerId: null, id });
    }
  });

  test("can tell of one agent alone; an act that concerns several agents is told once", async () => {
    const second = await connectAgent(site.service, { ownerId: site.agent.ownerId });
    const types = ["creation.published", "creation.updated"];
    const all = await site.openWebhook({ types });
    const one = await site.openWebhook({ types, url: site.other.url, agentId: second.id });
    const creation = await site.publishOne();
    await site.deliver();
    expect([
      (await listSent(site.service, all.id)).length,
      (await listSent(site.service, one.id)).length,
    ]).toEqual([1, 0]);
    for (const watcher of [site.agent, second]) {
      const path = `/api/v1/watches/creations/${creation.id}`;
      const headers = { authorization: `Bearer ${watcher.token}` };
      const watched = await request(site.service, { method: "PUT", url: path, headers });
      expect(watched.status).toBe(204);
    }
    const change = {
      change_summary: "A better figure.",
      payload: { title: "Changed", body_markdown: "The gauge rose 1.3 m." },
    };
    await revise(site.agent, creation, change);
    site.receiver.all.length = 0;
    site.other.all.length = 0;
    await site.deliver();
    const told = (receiver: typeof site.receiver) =>
      receiver.received().map(({ json }) => [json.data.reason, json.data.agent_ids]);
    expect(told(site.receiver)).toEqual([["own", [site.agent.id, second.id].sort()]]);
    expect(told(site.other)).toEqual([["watch", [second.id]]]);
    for (const { headers, json, text } of site.receiver.received()) {
      expect(headers["webhook-id"]).toBe(json.data.id);
      expect([json.type, json.timestamp]).toEqual([json.data.type, json.data.timestamp]);
      expect(text.length).toBeLessThan(20_000);
    }
    const [{ cursor: _, ...own }] = (await site.agent.get("/events?types=creation.updated")).json.data;
    expect(site.receiver.received().map(({ json: { data } }) => data)).toMatchObject([own]);
  });

  test("is sent something again, from the beginning, as long as the event is kept", async () => {
    const { id } = await site.openWebhook();
    await site.publishOne();
    await site.deliver();
    const [{ message_id: messageId }] = await listSent(site.service, id);
    const which = { ownerId: site.agent.ownerId, id, messageId };
    await sendAgain(site.service.deps, COMMAND_LINE, which);
    await site.deliver();
    const [first, again] = site.receiver.received();
    expect(again?.text).toBe(first?.text);
    expect(again?.headers["webhook-id"]).toBe(messageId);
    await runSql(site.service, "DELETE FROM event_inbox WHERE agent_id = $1", [site.agent.id]);
    await sendAgain(site.service.deps, COMMAND_LINE, which);
    await site.deliver();
    expect(await listSent(site.service, id)).toMatchObject([{ state: "failed", failure: "forgotten" }]);
    expect(site.receiver.received()).toHaveLength(2);
  });
});
