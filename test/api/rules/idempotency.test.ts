import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { COMMAND_LINE } from "../../../shared/identity/audit/record-act.ts";
import { removeContent } from "../../../shared/works/creations/take-down.ts";
import { connectAuthor, makeCreation, publish, request } from "../../support/agent.ts";
import { openService, TEST_START_MS } from "../../support/service.ts";
import { dumpTables, runSql } from "../../support/tables.ts";

const service = await openService({ workers: false });
const agent = await connectAuthor(service);

const story = (title: string) => ({ type: "story", payload: { title, body_markdown: "b" } });
const countCreations = async () =>
  (await runSql(service, "SELECT count(*)::int AS count FROM creations WHERE agent_id = $1", [agent.id]))[0]
    .count;

test("fifty creations at once under one key make one, and all that are told of it are told the same bytes", async () => {
  const before = await countCreations();
  const key = randomUUID();
  const send = () => agent.send("POST", "/creations", story("One of fifty"), { key });
  let open = await Promise.all(Array.from({ length: 50 }, send));
  const good = new Set<string>();
  const etags = new Set<unknown>();
  for (let round = 0; open.length > 0 && round < 20; round++) {
    for (const reply of open.filter((one) => one.status === 201)) {
      good.add(reply.text);
      etags.add(`${reply.headers.etag} ${reply.headers.location}`);
    }
    const waiting = open.filter((one) => one.status !== 201);
    for (const reply of waiting) {
      expect([reply.status, reply.json.code, reply.headers["retry-after"]]).toEqual([
        409,
        "idempotency_in_progress",
        "1",
      ]);
    }
    open = await Promise.all(waiting.map(send));
  }
  expect([open.length, good.size, etags.size]).toEqual([0, 1, 1]);
  expect(await countCreations()).toBe(before + 1);
  expect((await agent.get("/agent")).json.data.usage.creations).toBe(before + 1);
});

test("an answer that showed removed content is not replayed, its key stays used, and other answers stay", async () => {
  const keys = [randomUUID(), randomUUID()];
  const secret = "What nobody is to read again";
  const create = () => agent.send("POST", "/creations", story(secret), { key: keys[0] });
  const first = (await create()).json.data;
  const live = await publish(agent, first);
  const body = { ...story("Fit to read"), change_summary: "Another text" };
  const path = `/creations/${first.id}`;
  const second = await agent.send("PATCH", path, body, { ifMatch: live.lock_version });
  const published = await publish(agent, second.json.data);
  const update = () =>
    agent.send(
      "PATCH",
      path,
      { ...body, change_summary: "Again" },
      { key: keys[1], ifMatch: published.lock_version },
    );
  const third = await update();
  expect(third.status).toBe(200);
  const before = await countCreations();
  await removeContent(service.deps, COMMAND_LINE, first.latest_revision.id, "owner");
  const again = await create();
  expect([again.status, again.json.code]).toEqual([409, "revision_content_removed"]);
  expect(again.text).not.toContain(secret);
  expect(await countCreations()).toBe(before);
  expect((await update()).text).toBe(third.text);
  // The answers of the first publication and of the first update, which named the live title, are gone too.
  const stored = "SELECT count(*)::int AS count FROM idempotency_keys WHERE body LIKE $1";
  expect((await runSql(service, stored, [`%${secret}%`]))[0].count).toBe(0);
});

test("a replay carries the first status, body, ETag and Location, and moves nothing", async () => {
  const key = randomUUID();
  const first = await agent.send("POST", "/creations", story("Replayed"), { key });
  expect(first.headers["idempotent-replayed"]).toBeUndefined();
  const before = await dumpTables(service);
  const again = await agent.send("POST", "/creations", story("Replayed"), { key });
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  expect(again.headers).toMatchObject({
    "idempotent-replayed": "true",
    etag: first.headers.etag,
    location: first.headers.location,
  });
  expect(await dumpTables(service)).toBe(before);
});

test("a replay of a long answer has its resource as it is now, or the id alone where it is gone", async () => {
  const key = randomUUID();
  const long = { type: "story", payload: { title: "Long", body_markdown: "word ".repeat(4_000) } };
  const create = () => agent.send("POST", "/creations", long, { key });
  const first = await create();
  const { id } = first.json.data;
  const [row] = await runSql(service, "SELECT body FROM idempotency_keys WHERE key = $1", [key]);
  expect(JSON.parse(row.body)).toEqual({ ...first.json, data: { id } });
  const same = await create();
  expect([same.status, same.text, same.headers.etag]).toEqual([201, first.text, first.headers.etag]);
  const patched = await agent.send(
    "PATCH",
    `/creations/${id}`,
    { payload: { title: "Short", body_markdown: "b" } },
    { ifMatch: 1 },
  );
  expect(patched.status).toBe(200);
  const changed = await create();
  expect(changed.json.data).toEqual((await agent.get(`/creations/${id}`)).json.data);
  expect([changed.status, changed.headers.etag, changed.headers["idempotent-replayed"]]).toEqual([
    201,
    '"2"',
    "true",
  ]);
  expect((await agent.send("DELETE", `/creations/${id}`, undefined, { ifMatch: 2 })).status).toBe(204);
  const gone = await create();
  expect([gone.status, gone.text, gone.headers.etag]).toEqual([
    201,
    JSON.stringify({ data: { id } }),
    undefined,
  ]);
});

test("the same JSON with other spacing and member order is the same request", async () => {
  const key = randomUUID();
  const send = (payload: string) =>
    request(service, {
      method: "POST",
      url: "/api/v1/creations",
      headers: {
        authorization: `Bearer ${agent.token}`,
        "idempotency-key": key,
        "content-type": "application/json; charset=utf-8",
      },
      payload,
    });
  const first = await send('{"type":"story","payload":{"title":"Caf\\u00e9","body_markdown":"b"}}');
  const again = await send('{ "payload" : { "body_markdown":"b",\n"title":"Café" }, "type":"story" }');
  expect([first.status, again.status, again.text === first.text]).toEqual([201, 201, true]);
  const other = await send('{"type":"story","minor":false,"payload":{"title":"Café","body_markdown":"b"}}');
  expect(other.json.code).toBe("idempotency_mismatch");
});

test("a publication's replay holds after later changes, with the old If-Match and the old answer", async () => {
  const creation = await makeCreation(agent, story("Long replay"));
  const key = randomUUID();
  const body = { revision_id: creation.latest_revision.id };
  const path = `/creations/${creation.id}/publish`;
  const first = await agent.send("POST", path, body, { key, ifMatch: 1 });
  const patched = await agent.send(
    "PATCH",
    `/creations/${creation.id}`,
    { payload: { title: "Newer", body_markdown: "b" }, change_summary: "Newer." },
    { ifMatch: 2 },
  );
  await publish(agent, patched.json.data);
  const again = await agent.send("POST", path, body, { key, ifMatch: 1 });
  expect([again.status, again.text, again.headers.etag]).toEqual([200, first.text, '"2"']);
});

test("the profile's publication replays too, and the save of a profile needs no key", async () => {
  const patch = await agent.send("PATCH", "/agent/profile", { tagline: "x" }, { key: null, ifMatch: 3 });
  expect(patch.status).toBe(200);
  const key = randomUUID();
  const body = { revision_id: patch.json.data.draft.revision_id };
  const first = await agent.send("POST", "/agent/profile/publish", body, { key, ifMatch: 4 });
  const again = await agent.send("POST", "/agent/profile/publish", body, { key, ifMatch: 4 });
  expect([first.status, again.status, again.text === first.text]).toEqual([200, 200, true]);
  const fresh = await agent.send("POST", "/agent/profile/publish", body, { ifMatch: 5 });
  expect([fresh.status, fresh.json.code]).toEqual([409, "already_published"]);
});

test("an answer is replayed for 24 hours to the millisecond, then the key is new", async () => {
  const key = randomUUID();
  const first = await agent.send("POST", "/creations", story("A day old"), { key });
  try {
    service.clock.nowMs = TEST_START_MS + 24 * 3600_000 - 1;
    expect((await agent.send("POST", "/creations", story("A day old"), { key })).text).toBe(first.text);
    service.clock.nowMs = TEST_START_MS + 24 * 3600_000;
    const anew = await agent.send("POST", "/creations", story("Something else"), { key });
    expect([anew.status, anew.headers["idempotent-replayed"]]).toEqual([201, undefined]);
    const again = await agent.send("POST", "/creations", story("Something else"), { key });
    expect(again.text).toBe(anew.text);
  } finally {
    service.clock.nowMs = TEST_START_MS;
  }
});

test("a profile is saved without a key, and once under a key however often the request is sent", async () => {
  const read = async () => (await agent.get("/agent/profile")).json.data;
  const save = (body: object, ifMatch: number, key: string | null) =>
    agent.send("PATCH", "/agent/profile", body, { ifMatch, key });
  const before = await read();
  const plain = await save({ tagline: "Without a key" }, before.lock_version, null);
  expect(plain.status).toBe(200);
  expect((await save({ tagline: "Without a key" }, before.lock_version, null)).json.code).toBe(
    "version_mismatch",
  );
  const key = randomUUID();
  const [first, again] = [
    await save({ tagline: "Once" }, before.lock_version + 1, key),
    await save({ tagline: "Once" }, before.lock_version + 1, key),
  ];
  expect([first.status, again.status]).toEqual([200, 200]);
  expect([again.text, again.headers.etag, again.headers["idempotent-replayed"]]).toEqual([
    first.text,
    first.headers.etag,
    "true",
  ]);
  expect(first.headers["idempotent-replayed"]).toBeUndefined();
  const another = await save({ tagline: "Another" }, before.lock_version + 2, key);
  expect([another.status, another.json.code]).toEqual([409, "idempotency_mismatch"]);
  const malformed = await save({ tagline: "Malformed" }, before.lock_version + 2, "seven");
  expect([malformed.status, Object.keys(malformed.json.errors)]).toEqual([422, ["idempotency_key"]]);
  expect(await read()).toMatchObject({ draft: { tagline: "Once" }, lock_version: before.lock_version + 2 });
});
