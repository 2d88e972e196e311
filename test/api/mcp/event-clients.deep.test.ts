import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connectAgent, type Json, publishFrontPage, publishNew } from "../../support/agent.ts";
import { allow } from "../../support/allow.ts";
import { deliverAll } from "../../support/own-webhooks.ts";
import { usePackages } from "../../support/published-packages.ts";
import { openService, type TestService } from "../../support/service.ts";
import { listen } from "./published-tool.ts";

const CLIENT = "@ai-sdk/mcp@2.0.99";
const EVENTS = 200;

const installed = await usePackages(CLIENT);

/** What the client keeps of its subscriptions, as its documentation has it: merged in place. */
function openStore() {
  const kept = new Map<string, Json>();
  return {
    get: async (key: string) => kept.get(key),
    getById: async (id: string) => [...kept.values()].find((one) => one.id === id),
    set: async (one: Json) => void kept.set(one.key, one),
    update: async (key: string, patch: Json) => void kept.set(key, { ...kept.get(key), ...patch }),
    delete: async (key: string) => void kept.delete(key),
  };
}

test("the AI SDK subscribes, verifies every event and gets each once, through failures", async () => {
  const { createMCPClient, experimental_createMCPEventWebhook: createWebhook } = await import(
    join(installed ?? "", "node_modules/@ai-sdk/mcp/dist/index.js")
  );
  const store = openStore();
  const got = new Map<string, Json>();
  const faults: unknown[] = [];
  const receive = createWebhook({
    store,
    onEvent: async ({ event }: Json) => void got.set(event.eventId, event),
    onError: (error: unknown) => faults.push(error),
  });
  const lost = new Set<unknown>();
  let requests = 0;
  const server = createServer(async (incoming, reply) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part);
    const { url, method, headers } = incoming;
    const id = headers["webhook-id"];
    // Of every seventh request the receiver keeps the event, and its answer is lost; a later one fails outright.
    const isLost = ++requests % 7 === 0 && !lost.has(id);
    if (isLost) lost.add(id);
    if (isLost && requests % 2 === 0) return void reply.writeHead(502).end();
    const init = {
      method: method ?? "",
      headers: headers as Record<string, string>,
      body: Buffer.concat(parts),
    };
    const answer: Response = await receive(new Request(`http://${headers.host}${url}`, init));
    if (isLost) return void reply.destroy();
    reply.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service: TestService = await openService({
    workers: false,
    config: { outboundAllow: allow(host) },
    limits: { publicationsPerDay: 10_000, writesPerMinute: 10_000 },
  });
  service.clock.nowMs = Date.now();
  const agent = await connectAgent(service);
  await publishFrontPage(agent);
  const client = await createMCPClient({
    transport: {
      ...{ type: "http", url: `${await listen(service)}/mcp` },
      headers: { authorization: `Bearer ${agent.token}` },
    },
    experimental_events: { store },
  });
  const { events } = await client.experimental_events.list();
  expect(events.map(({ name }: Json) => name)).toContain("creation.published");
  const told = await client.experimental_events.subscribe({
    name: "creation.published",
    delivery: { mode: "webhook", url: `http://${host}/hook`, allowInsecureLocalhost: true },
  });
  expect(told.id).toMatch(/^sub_/);
  const works = new Set<string>();
  for (let count = 0; count < EVENTS; count++) {
    works.add((await publishNew(agent, { payload: { title: randomUUID(), body_markdown: "It rose." } })).id);
  }
  for (let round = 0; round < 20 && got.size < EVENTS; round++) {
    await deliverAll(service);
    service.clock.nowMs += 5_500;
  }
  expect(faults).toEqual([]);
  expect(lost.size).toBeGreaterThan(EVENTS / 10);
  expect([...got.values()].map(({ data }) => data.creation_id).toSorted()).toEqual([...works].toSorted());
  await client.experimental_events.refresh({ id: told.id });
  await client.experimental_events.unsubscribe({ id: told.id });
  await client.close();
  server.closeAllConnections();
  server.close();
});
