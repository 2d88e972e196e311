import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { withClient } from "../../../cli/embedded/database.ts";
import { connectAuthor, type Json, type TestAgent } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";
import { post } from "./rpc.ts";

const service = await openService({ workers: false });
const author = await connectAuthor(service);
const payload = { title: "November surge", body_markdown: "The gauge rose." };

/** What a message of a call comes to, with the id that its client gave it. */
async function send(id: string | number, name: string, args: Json, agent: TestAgent = author): Promise<Json> {
  const body = { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } };
  const { json } = await post(service, body, { token: agent.token });
  return JSON.parse(json.result.content[0].text);
}

const create = async (id: string | number, more: Json = {}, agent = author) =>
  await send(id, "create_creation", { type: "story", payload, ...more }, agent);

test("a message that is repeated within two minutes of the first is done once", async () => {
  const { data } = await create("once");
  for (const afterMs of [0, 1, 119_998]) {
    service.clock.nowMs += afterMs;
    const again = await create("once");
    expect([again.status, again.data.id]).toEqual([201, data.id]);
  }
});

test("from two minutes on it is another call, whose own two minutes begin", async () => {
  const first = await create(1);
  service.clock.nowMs += 120_000;
  const second = await create(1);
  expect([second.status, second.data.id === first.data.id]).toEqual([201, false]);
  service.clock.nowMs += 119_999;
  expect((await create(1)).data.id).toBe(second.data.id);
});

test("no two messages are taken for one: another id, argument or token", async () => {
  const other = await connectAuthor(service);
  const made = [
    await create(2),
    await create("2"),
    await create(2, { change_summary: "One." }),
    await create(2, {}, other),
  ];
  expect(new Set(made.map(({ data }) => data.id)).size).toBe(4);
});

test("a key that is given holds as long as ever", async () => {
  const idempotency_key = randomUUID();
  const first = await create(3, { idempotency_key });
  service.clock.nowMs += 3_600_000;
  expect((await create(4, { idempotency_key })).data.id).toBe(first.data.id);
  expect((await create(5, { idempotency_key: "seven" })).errors).toEqual({
    idempotency_key: ["The idempotency_key must be a UUID."],
  });
});

test("messages at once are done once, and each gets the answer", async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, () => create("at once")));
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
  expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
});

test("a message waits for the one that holds its key, and no longer than three seconds", async () => {
  const key = randomUUID();
  await withClient(service.databaseUrl, async (client) => {
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`${author.id}:${key}`]);
    expect(await create(8, { idempotency_key: key })).toMatchObject({ code: "idempotency_in_progress" });
    const waiting = create(8, { idempotency_key: key });
    const first = await Promise.race([waiting, create(9)]);
    await client.query("ROLLBACK");
    const { status, data } = await waiting;
    expect([status, data.id === first.data.id]).toEqual([201, false]);
  });
});

test("a draft that is gone stays gone: the repeated message gets its first answer", async () => {
  const { data } = await create("gone");
  const args = { creation_id: data.id, lock_version: 1 };
  expect(await send(7, "delete_draft", args)).toEqual({ status: 204 });
  expect(await send(7, "delete_draft", args)).toEqual({ status: 204 });
  service.clock.nowMs += 120_000;
  expect((await send(7, "delete_draft", args)).status).toBe(404);
});
