import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import type { Json } from "../support/agent.ts";
import { send } from "../support/http-agent.ts";
import { openPublisher } from "../support/publisher.ts";
import { openServiceOfRun } from "../support/real-service.ts";
import { until } from "../support/service-process.ts";
import { openWebhookReceiver } from "../support/webhook-receiver.ts";

const UNHURRIED = 100;
const WORKS = 10;
const ROUNDS = 1_000;
const KILLS = 10;
const TOLD_WITHIN_MS = 2_000;
/** What a killed worker began counts as given up by the clock of the next one, without a wait of half a minute. */
const LATER_MS = 60_000;

const receiver = await openWebhookReceiver();
const service = await openServiceOfRun({
  OUTBOUND_ALLOW: receiver.host,
  LIMIT_UPDATES_PER_DAY: "100000",
  LIMIT_WEBHOOK_CALLS_PER_MINUTE: "1000000",
});

test("a subscription loses no event while workers are killed, and is told within two seconds while none is", {
  timeout: 1_200_000,
}, async () => {
  const api = await service.startApi();
  const { token, call: tell, publishStory } = await openPublisher(service.deps, api.url, "subscribed");
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  const works = await Promise.all(
    Array.from({ length: WORKS }, (_, at) => publishStory(`Surge ${at}`, "The gauge rose.")),
  );
  let worker = await service.startWorkers(["deliver"]);
  const call = async (method: string, params: Json) => {
    const body = { jsonrpc: "2.0", id: 1, method, params };
    return (await send(api.url, { method: "POST", path: "/mcp", token, body })).json.result;
  };
  const name = "creation.visibility";
  const delivery = { mode: "webhook", url: receiver.url, secret };
  const { cursor } = await call("events/subscribe", { name, delivery, ttlMs: 86_400_000 });

  const act = async (work: Json, count: number) => {
    const body = { visibility: count % 2 === 0 ? "unlisted" : "public" };
    const path = `/api/v1/creations/${work.id}/visibility`;
    work.lock_version = (await tell({ method: "POST", path, body, ifMatch: work.lock_version })).lock_version;
  };
  const delays: number[] = [];
  for (let count = 0; count < UNHURRIED; count++) {
    await act(works[0], count);
    const doneMs = Date.now();
    await until(() => receiver.received().length > count, 10_000);
    delays.push((receiver.received()[count]?.atMs ?? 0) - doneMs);
  }
  delays.sort((one, other) => one - other);
  console.log("from act to delivery, ms: p50", delays[UNHURRIED / 2], "p95", delays[UNHURRIED * 0.95]);
  expect(delays[UNHURRIED * 0.95]).toBeLessThan(TOLD_WITHIN_MS);

  for (let count = 0; count < ROUNDS; count++) {
    await Promise.all(works.map((work) => act(work, count)));
    if (count % (ROUNDS / KILLS) !== ROUNDS / KILLS / 2) continue;
    worker.child.kill("SIGKILL");
    await worker.ended;
    const kills = Math.ceil((count * KILLS) / ROUNDS);
    const env = { NODE_ENV: "test", CLOCK_OFFSET_MS: String(kills * LATER_MS) };
    worker = await service.startWorkers(["deliver"], env);
  }
  const idsOf = () => new Set(receiver.received().map(({ json }) => json.eventId));
  await until(() => idsOf().size === UNHURRIED + WORKS * ROUNDS, 300_000);
  const polled: string[] = [];
  for (let place = cursor, hasMore = true; hasMore; ) {
    const page = await call("events/poll", { name, cursor: place });
    polled.push(...page.events.map((event: Json) => event.eventId));
    [place, hasMore] = [page.cursor, page.hasMore];
  }
  expect(idsOf()).toEqual(new Set(polled));
  expect(polled).toHaveLength(UNHURRIED + WORKS * ROUNDS);
  for (const { headers, text } of receiver.received()) {
    const at = new Date(Number(headers["webhook-timestamp"]) * 1_000);
    const mark = new Webhook(secret).sign(String(headers["webhook-id"]), at, text);
    expect(headers["webhook-signature"]).toBe(mark);
  }
});
