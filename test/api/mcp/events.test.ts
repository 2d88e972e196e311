import { beforeEach, describe, expect, test } from "vitest";
import { EVENT_TYPES } from "../../../shared/trust/events/present-event.ts";
import { sequenceEvents } from "../../../shared/trust/events/sequence-events.ts";
import { connectAgent, type Json, makeCreation, publishFrontPage, publishNew } from "../../support/agent.ts";
import { publishFiles } from "../../support/published-files.ts";
import { openService, TEST_START_MS } from "../../support/service.ts";
import { legacy, modern } from "./rpc.ts";
import { UNKNOWN } from "./step.ts";

const service = await openService({ workers: false });
const [author, reader, narrow] = await Promise.all([
  connectAgent(service),
  connectAgent(service),
  connectAgent(service, { abilities: ["creations:read"] }),
]);
await publishFrontPage(author);
const sequence = () => sequenceEvents(service.deps);

beforeEach(sequence);

const poll = (params: Json, token: string | undefined = author.token) =>
  modern(service, "events/poll", params, { token });
const read = async (params: Json, token?: string) => (await poll(params, token)).json.result;
const idsOf = (result: Json) => result.events.map((event: Json) => event.data.creation_id);

describe("events/list", () => {
  test("names every type that tells of works, with what narrows it and what it tells", async () => {
    const { result } = (await modern(service, "events/list", {}, {})).json;
    const names = result.events.map((event: Json) => event.name);
    const left = EVENT_TYPES.filter((type) => !names.includes(type));
    expect(left).toEqual([
      ...["moderation.hidden", "moderation.unhidden", "content.removed", "agent.paused", "agent.resumed"],
      ...["token.issued", "token.revoked", "token.leaked"],
    ]);
    const taken = Object.fromEntries(
      result.events.map(({ name, inputSchema }: Json) => [name, Object.keys(inputSchema.properties)]),
    );
    expect(taken["creation.updated"]).toEqual(["creation_id", "agent_id", "by"]);
    expect([taken["question.answered"], taken["asset.ready"]]).toEqual([["name"], []]);
    for (const { payloadSchema } of result.events) expect(payloadSchema.required).toContain("creation_id");
  });

  test.each([legacy, modern])("is announced, and streams are not offered", async (ask) => {
    const method = ask === legacy ? "initialize" : "server/discover";
    const { capabilities } = (await ask(service, method, {})).json.result;
    expect(capabilities.extensions["io.modelcontextprotocol/events"]).toEqual({});
    expect(capabilities.events).toEqual({});
    const stream = await ask(service, "events/stream", { name: "creation.published" });
    expect(stream.json.error.code).toBe(-32601);
  });

  test("is no part of what is open to everybody", async () => {
    const reply = await legacy(service, "events/list", {}, { url: "/mcp/readonly" });
    expect(reply.json.error.code).toBe(-32601);
  });
});

describe("events/poll", () => {
  test("begins now, and then tells each event once, as GET /events does", async () => {
    const name = "creation.published";
    const first = await read({ name, cursor: null });
    expect(first).toMatchObject({ events: [], truncated: false, hasMore: false });
    const [one, two] = [await publishNew(author), await publishNew(author)];
    await sequence();
    const told = await read({ name, cursor: first.cursor });
    expect(idsOf(told)).toEqual([one.id, two.id]);
    const rest = await author.get(`/events?after=${first.cursor}&types=${name}`);
    expect(told.events.map((event: Json) => event.eventId)).toEqual(
      rest.json.data.map((event: Json) => event.id),
    );
    expect(told.cursor).toBe(rest.json.meta.cursor);
    expect(told.events[0]).toEqual({
      ...{ eventId: expect.any(String), name, timestamp: "2026-11-20T09:00:00Z" },
      data: {
        ...{ reason: "own", agent_id: author.id, creation_id: one.id },
        url: `http://localhost:3000/id/${one.id}`,
        ...{ revision_number: 1, minor: false, visibility: "public", by: "agent" },
      },
      cursor: expect.any(String),
    });
    // The cursor of an event leads to what comes behind it.
    expect(idsOf(await read({ name, cursor: told.events[0].cursor }))).toEqual([two.id]);
    expect(await read({ name, cursor: told.cursor })).toMatchObject({ events: [], cursor: told.cursor });
  });

  test("gives as many as are asked for, and says that there are more", async () => {
    const name = "creation.published";
    const { cursor } = await read({ name });
    const works = [await publishNew(author), await publishNew(author), await publishNew(author)];
    await sequence();
    const ids: string[] = [];
    for (let page = await read({ name, cursor, maxEvents: 1 }); ; ) {
      ids.push(...idsOf(page));
      if (!page.hasMore) break;
      page = await read({ name, cursor: page.cursor, maxEvents: 1 });
    }
    expect(ids).toEqual(works.map(({ id }) => id));
  });

  test("tells what its arguments ask for", async () => {
    const name = "creation.published";
    const { cursor } = await read({ name });
    const [one] = [await publishNew(author), await publishNew(author)];
    await sequence();
    const ask = async (args: object) => idsOf(await read({ name, cursor, arguments: args }));
    expect(await ask({ creation_id: one?.id })).toEqual([one?.id]);
    expect((await ask({ agent_id: author.id })).length).toBe(2);
    expect(await ask({ agent_id: reader.id })).toEqual([]);
    expect(await ask({ by: "others" })).toEqual([]);
  });

  test("says that older events were left out for their age", async () => {
    const name = "creation.published";
    const { cursor } = await read({ name });
    await publishNew(author);
    await sequence();
    service.clock.nowMs = TEST_START_MS + 60_000;
    const told = await read({ name, cursor, maxAgeMs: 30_000 });
    expect([told.events, told.truncated]).toEqual([[], true]);
    expect((await read({ name, cursor, maxAgeMs: 90_000 })).events).toHaveLength(1);
    service.clock.nowMs = TEST_START_MS;
  });

  test.each([
    [{ name: "creation.publish" }, -32011, /Did you mean creation\.published\?/],
    [{ name: "token.leaked" }, -32011, /^There is no type token\.leaked\./],
    [{}, -32602, /^name: The name is required\.$/],
    [
      { name: "asset.ready", arguments: { by: "others" } },
      -32602,
      /^arguments\.by: .* This type takes none\.$/,
    ],
    [{ name: "creation.updated", arguments: { agentid: "x" } }, -32602, /Did you mean agent_id\?/],
    [{ name: "creation.updated", arguments: { agent_id: "x" } }, -32602, /The agent_id must be an id, of 26/],
    [{ name: "asset.ready", arguments: [] }, -32602, /^arguments: The arguments must be an object\./],
    [{ name: "asset.ready", cursor: "zz" }, -32602, /^The cursor must be one that an answer gave/],
    [{ name: "asset.ready", maxEvents: 0 }, -32602, /The maxEvents must be at least 1\.$/],
  ])("refuses %j by name", async (params: object, code, sentence) => {
    const { status, json } = await poll(params);
    expect([status, json.error.code]).toEqual([200, code]);
    expect(json.error.message).toMatch(sentence);
  });

  test("tells of works that are gone, in whatever case their ids are written", async () => {
    const work = await publishNew(author);
    await author.send("POST", `/creations/${work.id}/unpublish`, {}, { ifMatch: work.lock_version });
    const ask = { name: "creation.unpublished", arguments: { creation_id: work.id.toLowerCase() } };
    const { cursor } = await read({ name: "creation.unpublished" });
    expect(await read(ask, reader.token)).toMatchObject({ events: [] });
    await sequence();
    expect(idsOf(await read({ ...ask, cursor }))).toEqual([work.id]);
  });

  test("refuses arguments that name nothing of which an event can tell", async () => {
    const told = async (name: string, args: object) => {
      const { error } = (await poll({ name, arguments: args }, reader.token)).json;
      return [error.code, error.message];
    };
    const rule = "arguments.creation_id: The creation_id must be an id, of 26 characters.";
    expect(await told("creation.updated", { creation_id: "\0".repeat(26) })).toEqual([-32602, rule]);
    const draft = await makeCreation(author);
    for (const id of [UNKNOWN, draft.id])
      expect(await told("creation.updated", { creation_id: id })).toEqual([
        ...[
          -32602,
          "arguments.creation_id: There is no such creation: none of yours, and none that was published.",
        ],
      ]);
    expect((await read({ name: "creation.published", arguments: { creation_id: draft.id } })).events).toEqual(
      [],
    );
    const agent = await told("creation.updated", { agent_id: UNKNOWN });
    expect(agent).toEqual([-32602, "arguments.agent_id: There is no such agent."]);
    const none = await told("question.answered", { name: "highst" });
    expect(none).toEqual([-32602, "arguments.name: You watch no question; the tool watch begins it."]);
    const { creations } = await publishFiles(service, { "heights.csv": "height_m\n4.4\n" });
    const question = { aggregate: [{ op: "count" }] };
    await reader.send("PUT", "/watches/questions/highest", {
      creation_id: creations["heights.csv"].id,
      question,
    });
    expect(
      (await poll({ name: "question.answered", arguments: { name: "highest" } }, reader.token)).json.error,
    ).toBeUndefined();
    expect(await told("question.answered", { name: "highst" })).toEqual([
      ...[
        -32602,
        "arguments.name: There is no watched question highst. Did you mean highest? There is only highest.",
      ],
    ]);
  });

  test("sends a caller without a token to the sign-in, and refuses one that may not read", async () => {
    const name = "asset.ready";
    const without = await modern(service, "events/poll", { name });
    expect([without.status, without.json.error.code]).toEqual([401, -32012]);
    expect(without.headers["www-authenticate"]).toMatch(/^Bearer resource_metadata=.*\/mcp"/);
    const { status, json } = await poll({ name }, narrow.token);
    expect([status, json.error.code, json.error.data]).toEqual([200, -32012, { reason: "missing_ability" }]);
  });
});
