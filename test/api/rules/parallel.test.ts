import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../../shared/ground/times.ts";
import {
  connectAgent,
  connectAuthor,
  type Json,
  makeCreation,
  type Reply,
  speakAs,
  type TestAgent,
} from "../../support/agent.ts";
import { openService } from "../../support/service.ts";
import { act, tally, times, update } from "./racing.ts";

const limits = { publicationsPerDay: 1000, updatesPerDay: 1000, processingUploads: 100 };
const service = await openService({ workers: false, limits });

const soon = () => new Date(service.clock.nowMs + MINUTE_MS).toISOString();
const WRITES: [name: string, write: (agent: TestAgent, creation: Json, number: number) => Promise<Reply>][] =
  [
    [
      "PATCH",
      (agent, one, n) =>
        agent.send("PATCH", `/creations/${one.id}`, update(n), { ifMatch: one.lock_version }),
    ],
    [
      "schedule",
      (agent, one) =>
        act(agent, one, "schedule", { revision_id: one.latest_revision.id, publish_at: soon() }),
    ],
    ["publish", (agent, one) => act(agent, one, "publish", { revision_id: one.latest_revision.id })],
  ];

test.each(WRITES)("of twenty %s at once under one If-Match exactly one wins", async (_name, write) => {
  const agent = await connectAuthor(service);
  const creation = await makeCreation(agent);
  const replies = await Promise.all(times(20, (number) => write(agent, creation, number)));
  expect(tally(replies)).toEqual({ "200": 1, "412 version_mismatch": 19 });
  const now = (await agent.get(`/creations/${creation.id}`)).json.data;
  expect(now.lock_version).toBe(2);
  expect(replies.find((reply) => reply.status === 200)?.json.data.lock_version).toBe(2);
});

test("four writers that read and write again and again leave no gap and no repeat in lock_version", async () => {
  const agent = await connectAuthor(service);
  const creation = await makeCreation(agent);
  const versions: number[] = [];
  async function writeFive(writer: number): Promise<void> {
    let wins = 0;
    while (wins < 5) {
      const { lock_version: ifMatch } = (await agent.get(`/creations/${creation.id}`)).json.data;
      const reply = await agent.send("PATCH", `/creations/${creation.id}`, update(writer), { ifMatch });
      expect([200, 412]).toContain(reply.status);
      if (reply.status !== 200) continue;
      versions.push(reply.json.data.lock_version);
      expect(reply.headers.etag).toBe(`"${reply.json.data.lock_version}"`);
      wins++;
    }
  }
  await Promise.all(times(4, writeFive));
  expect(versions.sort((one, two) => one - two)).toEqual(times(20, (n) => n + 2));
  const numbers = (await agent.get(`/creations/${creation.id}/revisions?per_page=100`)).json.data;
  expect(numbers.map((one: Json) => one.revision_number)).toEqual(times(21, (n) => 21 - n));
});

test("a rotated token lives sixty minutes more to the millisecond, and may rotate again in that time", async () => {
  const agent = await connectAgent(service);
  const first = await agent.send("POST", "/agent/token/rotate", undefined);
  const { token, previous_token_expires_at } = first.json.data;
  expect(Date.parse(previous_token_expires_at)).toBe(service.clock.nowMs + 60 * MINUTE_MS);
  service.clock.nowMs += 30 * MINUTE_MS;
  const inTail = await agent.send("POST", "/agent/token/rotate", undefined);
  expect(inTail.status).toBe(200);
  // Rotating in the tail does not lengthen it.
  expect(inTail.json.data.previous_token_expires_at).toBe(previous_token_expires_at);
  service.clock.nowMs += 30 * MINUTE_MS - 1;
  expect((await agent.get("/agent")).status).toBe(200);
  service.clock.nowMs += 1;
  expect((await agent.get("/agent")).json.code).toBe("unauthenticated");
  for (const next of [token, inTail.json.data.token]) {
    expect((await speakAs(service, { ...agent, token: next }).get("/agent")).status).toBe(200);
  }
});

test("of ten rotations at once as many pass as tokens may be active, and time makes room again", async () => {
  const agent = await connectAgent(service);
  const replies = await Promise.all(times(10, () => agent.send("POST", "/agent/token/rotate", undefined)));
  expect(tally(replies)).toEqual({ "200": 4, "409 token_quota": 6 });
  const tokens = replies.filter((reply) => reply.status === 200).map((reply) => reply.json.data.token);
  expect(new Set(tokens).size).toBe(4);
  service.clock.nowMs += HOUR_MS;
  const next = speakAs(service, { ...agent, token: tokens[0] });
  expect((await next.send("POST", "/agent/token/rotate", undefined)).status).toBe(200);
});
