import { describe, expect, test } from "vitest";
import { changeLimits, readLimitChanges } from "../../../shared/care/administration/own-limits.ts";
import { COMMAND_LINE } from "../../../shared/identity/audit/record-act.ts";
import type { Json } from "../../support/agent.ts";
import { openSubscriber } from "../../support/subscriber.ts";
import { openWebhookSite } from "../../support/webhook-site.ts";
import { legacy } from "./rpc.ts";
import { UNKNOWN } from "./step.ts";

const site = openWebhookSite();
const client = openSubscriber(site);
const { wish, subscribe, errorOf, countRows } = client;

describe("events/subscribe refuses", () => {
  const silent: [string, () => void, string][] = [
    ["echoes nothing", () => (site.receiver.consent = (reply) => void reply.end("{}")), "challenge_failed"],
    ["is not there", () => (site.receiver.consent = (reply) => void reply.destroy()), "connection_refused"],
    ["fails", () => (site.receiver.consent = (reply) => void reply.writeHead(500).end()), "http_5xx"],
    [
      "leads elsewhere",
      () => (site.receiver.consent = (reply) => void reply.writeHead(307).end()),
      "challenge_failed",
    ],
    [
      "goes on",
      () => (site.receiver.consent = (reply) => void reply.end("x".repeat(5_000))),
      "challenge_failed",
    ],
  ];
  test.each(silent)("a receiver that %s", async (_, set, reason) => {
    set();
    expect(await errorOf(wish())).toMatchObject({ code: -32015, data: { reason } });
    expect(await countRows()).toBe(0);
  });

  test.each<[string, () => Json, number]>([
    ["an address without TLS", () => ({ url: "http://example.org/hook", secret: client.secret }), -32602],
    ["an address of this machine", () => ({ url: "https://127.0.0.1/hook", secret: client.secret }), -32602],
    ["no secret", () => ({ url: site.receiver.url }), -32602],
    ["a short secret", () => ({ url: site.receiver.url, secret: "whsec_AAAA" }), -32602],
    ["another secret", () => ({ url: site.receiver.url, secret: "a".repeat(40) }), -32602],
    ["another mode", () => ({ mode: "push", url: site.receiver.url, secret: client.secret }), -32014],
  ])("%s", async (_, delivery, code) => {
    expect((await errorOf(wish({ delivery: delivery() }))).code).toBe(code);
  });

  test("a work and a question that there are not, before the receiver is asked", async () => {
    let asked = 0;
    site.receiver.consent = (reply) => {
      asked += 1;
      reply.end("{}");
    };
    for (const [name, args] of [
      ["creation.updated", { creation_id: UNKNOWN }],
      ["question.answered", { name: "highst" }],
    ] as const)
      expect((await errorOf(wish({ name, arguments: args }))).code).toBe(-32602);
    expect(asked).toBe(0);
  });

  test("the twenty-first of an agent", async () => {
    for (let at = 0; at < 20; at++)
      await subscribe({ delivery: { url: `${site.receiver.url}?${at}`, secret: client.secret } });
    const error = await errorOf(wish());
    expect(error).toMatchObject({ code: -32013, data: { limit: "subscriptions", max: 20 } });
    await subscribe({ delivery: { url: `${site.receiver.url}?7`, secret: client.secret } });
  });

  test("a question more than an hour has, and says how long to wait", async () => {
    const changes = readLimitChanges("owner", { set: ["webhookAsksPerHour=1"], unset: [] });
    await changeLimits(site.service.deps, COMMAND_LINE, "owner", site.agent.ownerId, changes);
    await subscribe();
    const delivery = { url: `${site.receiver.url}?1`, secret: client.secret };
    const { headers, json } = await client.ask("events/subscribe", wish({ delivery }));
    expect(json.error).toMatchObject({ code: -32013, data: { limit: "questions an hour" } });
    expect(headers["retry-after"]).toBe("3600");
  });

  test("a caller without a token, who is sent to the sign-in", async () => {
    const reply = await legacy(site.service, "events/subscribe", wish());
    expect([reply.status, reply.json.error.code]).toEqual([401, -32012]);
  });
});
