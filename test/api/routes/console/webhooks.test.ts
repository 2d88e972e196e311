import { Webhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { beforeEach, describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../../shared/ground/times.ts";
import { EVENT_TYPES } from "../../../../shared/trust/events/present-event.ts";
import { connectAgent, connectAuthor, publishNew } from "../../../support/agent.ts";
import { allow } from "../../../support/allow.ts";
import { deliverAll, listSent, readWebhook } from "../../../support/own-webhooks.ts";
import { type OwnerDashboard, openDashboard } from "../../../support/owner-dashboard.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import {
  openWebhookReceiver,
  type Received,
  type WebhookReceiver,
} from "../../../support/webhook-receiver.ts";

const PAGE = "/console/webhooks";

let owner: OwnerDashboard;

const receiver = await openWebhookReceiver();
const service = await openService({ workers: false, config: { outboundAllow: allow(receiver.host) } });
// Verifiers compare with the clock of this machine.
service.clock.nowMs = Date.now();

beforeEach(async () => {
  receiver.reset();
  await runSql(service, "DELETE FROM webhooks");
  owner = await openDashboard(service, null);
});

const SECRET = /whsec_[A-Za-z0-9+/]{43}=/;

async function add(fields: Record<string, string> = {}) {
  const typed = { url: receiver.url, "type-creation.published": "yes", ...fields };
  const reply = await owner.post(PAGE, typed);
  const [row] = await runSql(
    service,
    "SELECT id FROM webhooks WHERE owner_id = $1 ORDER BY id DESC LIMIT 1",
    [owner.ownerId],
  );
  const secret = SECRET.exec(reply.text)?.[0] ?? "";
  return { reply, id: row?.id as string, secret, page: `${PAGE}/${row?.id}` };
}

/** Which of these secrets a delivery is signed with, by two verifiers of others. */
function verify({ headers, text }: Received, secrets: readonly string[]): boolean[] {
  const told = headers as Record<string, string>;
  return secrets.map((secret) => {
    const agree = [Webhook, SvixWebhook].map((Verifier) => {
      try {
        new Verifier(secret).verify(text, told);
        return true;
      } catch {
        return false;
      }
    });
    expect(new Set(agree).size).toBe(1);
    return agree[0] === true;
  });
}

describe("a webhook in the console", () => {
  test("is silent until its receiver consents, and then is sent what others verify", async () => {
    const { reply, id, secret, page } = await add();
    expect([reply.status, secret.length]).toEqual([200, 50]);
    expect((await owner.get(page)).text).not.toContain("whsec_");
    expect((await owner.post(`${page}/test`)).status).toBe(409);
    expect(receiver.all).toEqual([]);
    await deliverAll(service);
    const [question] = receiver.all as [Received];
    expect(question.json).toMatchObject({
      type: "webhook.verify",
      data: { challenge: expect.stringMatching(/^[\w-]{43}$/) },
    });
    expect(verify(question, [secret])).toEqual([true]);
    expect((await owner.get(page)).text).toContain("Active");
    expect((await owner.post(`${page}/test`)).headers.location).toBe(`${page}#deliveries`);
    await deliverAll(service);
    const [sent] = receiver.received() as [Received];
    expect(sent.json).toMatchObject({ type: "webhook.test", data: { type: "webhook.test", data: {} } });
    expect(verify(sent, [secret, `whsec_${Buffer.alloc(32, 1).toString("base64")}`])).toEqual([true, false]);
    expect(verify({ ...sent, text: `${sent.text} ` }, [secret])).toEqual([false]);
    const shown = (await owner.get(page)).text;
    for (const words of ["webhook.test", "Delivered · answer 204", "webhook.verify"])
      expect(shown).toContain(words);
    const agent = await connectAuthor(service, { ownerId: owner.ownerId });
    const creation = await publishNew(agent);
    await deliverAll(service);
    const event = receiver.received().at(-1) as Received;
    expect(verify(event, [secret])).toEqual([true]);
    const data = { type: "creation.published", agent_id: agent.id, creation_id: creation.id, reason: "own" };
    expect(event.json).toMatchObject({ type: data.type, data });
    expect(event.headers["webhook-id"]).toBe(event.json.data.id);
    const acts = await runSql(
      service,
      "SELECT action FROM audit_log WHERE detail->>'webhook_id' = $1 ORDER BY id",
      [id],
    );
    expect(acts.map(({ action }) => action)).toEqual(["webhook.add", "webhook.verify", "webhook.test"]);
  });

  test("shows its secret when it is asked, and signs with two for a day after a new one", async () => {
    const { secret, page } = await add();
    await deliverAll(service);
    expect(SECRET.exec((await owner.post(`${page}/secret`)).text)?.[0]).toBe(secret);
    const fresh = SECRET.exec((await owner.post(`${page}/new-secret`)).text)?.[0] ?? "";
    expect(fresh).not.toBe(secret);
    const signedBy = async () => {
      await owner.post(`${page}/test`);
      await deliverAll(service);
      const sent = receiver.received().at(-1) as Received;
      // Later the clock of the test is ahead of the verifiers'.
      const isNow = service.clock.nowMs < Date.now() + HOUR_MS;
      const count = String(sent.headers["webhook-signature"]).split(" ").length;
      return isNow ? verify(sent, [secret, fresh]) : count;
    };
    expect(await signedBy()).toEqual([true, true]);
    service.clock.nowMs += DAY_MS - HOUR_MS;
    expect(await signedBy()).toBe(2);
    service.clock.nowMs += HOUR_MS;
    expect(await signedBy()).toBe(1);
    service.clock.nowMs = Date.now();
  });

  test.each<[string, WebhookReceiver["consent"], string]>([
    ["the challenge alone", (reply, { json }) => reply.end(`${json.data.challenge}\n`), "active"],
    ["JSON", (reply, { json }) => reply.writeHead(201).end(JSON.stringify(json.data)), "active"],
    ["nothing", (reply) => reply.writeHead(204).end(), "unverified"],
    ["another challenge", (reply) => reply.end("A".repeat(43)), "unverified"],
    ["all that it got", (reply, { text }) => reply.end(text), "unverified"],
    [
      "an error that holds it",
      (reply, { json }) => reply.writeHead(400).end(json.data.challenge),
      "unverified",
    ],
    [
      "a redirect",
      (reply, { json }) => reply.writeHead(302, { location: "/" }).end(json.data.challenge),
      "unverified",
    ],
    ["too much", (reply, { json }) => reply.end(json.data.challenge + " ".repeat(5_000)), "unverified"],
    ["410", (reply) => reply.writeHead(410).end(), "ended"],
  ])("that answers the question with %s is %s", async (_what, consent, status) => {
    receiver.consent = consent;
    const { id } = await add();
    await deliverAll(service);
    expect(await readWebhook(service, id)).toMatchObject({ status });
  });

  test("that does not consent is asked four times, and again when its owner says so", async () => {
    receiver.consent = (reply) => void reply.writeHead(204).end();
    const { id, page } = await add();
    for (let hours = 0; hours < 60; hours++) {
      await deliverAll(service);
      service.clock.nowMs += HOUR_MS / 2;
    }
    expect(receiver.all).toHaveLength(4);
    receiver.reset();
    // The page that follows may be loaded again: nothing is sent by that.
    const asked = await owner.post(`${page}/ask`);
    expect([asked.status, asked.headers.location]).toEqual([303, `${page}#deliveries`]);
    await deliverAll(service);
    expect(await readWebhook(service, id)).toMatchObject({ status: "active" });
    expect((await owner.post(`${page}/ask`)).status).toBe(409);
  });

  test("sends a delivery again, and is removed once its box is ticked", async () => {
    const { id, page } = await add();
    await deliverAll(service);
    await owner.post(`${page}/test`);
    await deliverAll(service);
    const [{ message_id: message }] = await listSent(service, id);
    expect((await owner.get(page)).text).toContain(`${page}/deliveries/${message}/again`);
    await owner.post(`${page}/deliveries/${message}/again`);
    await deliverAll(service);
    expect(receiver.received()).toHaveLength(2);
    expect((await owner.post(`${page}/remove`)).status).toBe(422);
    expect((await owner.post(`${page}/remove`, { sure: "yes" })).status).toBe(303);
    expect((await owner.get(page)).status).toBe(404);
  });

  test("has no address that the service may not reach, and no agent of another owner", async () => {
    for (const url of [
      ...[
        "http://example.org/",
        "https://example.org:8443/",
        "https://a:b@example.org/",
        "https://127.0.0.1/",
      ],
      ...[
        "https://localhost/",
        "https://hooks.internal/",
        "https://[::1]/",
        "https://2130706433/",
        "hook",
        "",
      ],
      ...["https://hooks/ x", `https://example.org/${"x".repeat(2_030)}`, "http://127.0.0.1:1/"],
    ]) {
      const { reply } = await add({ url });
      expect([reply.status, reply.text.includes('aria-invalid="true"')], url).toEqual([422, true]);
    }
    const none = await add({ "type-creation.published": "" });
    expect([none.reply.status, none.reply.text.includes("Choose at least one type")]).toEqual([422, true]);
    const strange = await connectAgent(service);
    expect((await add({ agent: strange.id })).reply.status).toBe(422);
  });

  test("can be told of every type, and an owner has ten of them", async () => {
    const all = Object.fromEntries(EVENT_TYPES.map((type) => [`type-${type}`, "yes"]));
    const { id } = await add(all);
    expect((await readWebhook(service, id)).types).toEqual([...EVENT_TYPES]);
    for (let count = 1; count < 10; count++) expect((await add()).reply.status).toBe(200);
    expect((await owner.get(PAGE)).text).toContain("You have 10 webhooks, as many as there can be.");
    const { reply } = await add();
    expect([reply.status, reply.text.includes("remove one first")]).toEqual([422, true]);
  });

  test("is asked, tested and sent again thirty times an hour by hand, removed ones count too", async () => {
    for (let count = 0; count < 29; count++) {
      const { page } = await add();
      await owner.post(`${page}/remove`, { sure: "yes" });
    }
    const { page } = await add();
    await deliverAll(service);
    expect((await owner.post(`${page}/test`)).status).toBe(429);
    service.clock.nowMs += HOUR_MS;
    expect((await owner.post(`${page}/test`)).status).toBe(303);
  });
});
