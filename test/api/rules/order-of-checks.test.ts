import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Tool } from "../../../api/mcp/tool.ts";
import { TOOLS } from "../../../api/mcp/tools.ts";
import {
  connectAgent,
  connectAuthor,
  type Json,
  makeCreation,
  publishFrontPage,
  request,
  type TestAgent,
} from "../../support/agent.ts";
import { some } from "../../support/depth.ts";
import { openService } from "../../support/service.ts";
import { runSql, setAgentTimestamp, setOwnerStatus } from "../../support/tables.ts";
import { call as callTool } from "../mcp/rpc.ts";

const service = await openService({ limits: { publicationsPerDay: 0, writesPerMinute: 40 } });
const now = new Date(service.clock.nowMs);

interface Call {
  url: string;
  token: string | null;
  key: string | null;
  ifMatch: string | null;
  contentType: string;
  body: string;
}

async function answerTo(call: Call): Promise<string> {
  const reply = await request(service, {
    method: "POST",
    url: call.url,
    headers: {
      "content-type": call.contentType,
      ...(call.token === null ? {} : { authorization: `Bearer ${call.token}` }),
      ...(call.key === null ? {} : { "idempotency-key": call.key }),
      ...(call.ifMatch === null ? {} : { "if-match": call.ifMatch }),
    },
    payload: call.body,
  });
  const fields = Object.keys(reply.json.errors).sort().join(",");
  return `${reply.status} ${reply.json.code}${fields === "" ? "" : ` ${fields}`}`;
}

test("everything wrong at once is told in the documented order, one mend at a time", async () => {
  const agent = await connectAgent(service, { claimed: false, abilities: ["creations:read"] });
  const ability = (list: string[]) =>
    runSql(service, "UPDATE tokens SET abilities = $2 WHERE agent_id = $1", [agent.id, list]);
  await setOwnerStatus(service, agent.ownerId, "suspended");
  await setAgentTimestamp(service, agent.id, "suspended_at", now);
  await setAgentTimestamp(service, agent.id, "paused_at", now);
  const call: Call = {
    url: "/api/v1/creations/01ARZ3NDEKTSV4RRFFQ69G5FAV/publish",
    token: null,
    key: null,
    ifMatch: null,
    contentType: "text/plain",
    body: '{"revision_id"',
  };
  let creation: Awaited<ReturnType<typeof makeCreation>>;
  const ladder: [expected: string, mend: () => unknown][] = [
    ["415 http_error", () => Object.assign(call, { contentType: "application/json" })],
    ["400 http_error", () => Object.assign(call, { body: '{"visibility":"secret","more":1}' })],
    ["401 unauthenticated", () => Object.assign(call, { token: agent.token })],
    ["403 owner_suspended", () => setOwnerStatus(service, agent.ownerId, "active")],
    ["403 agent_suspended", () => setAgentTimestamp(service, agent.id, "suspended_at", null)],
    ["403 agent_pending_claim", () => setAgentTimestamp(service, agent.id, "claimed_at", now)],
    ["403 missing_ability", () => ability(["creations:publish", "creations:write", "agent:read"])],
    ["403 agent_paused", () => setAgentTimestamp(service, agent.id, "paused_at", null)],
    [
      "404 not_found",
      async () => {
        creation = await makeCreation(agent, { section: "nowhere" });
        call.url = `/api/v1/creations/${creation.id}/publish`;
      },
    ],
    ["422 idempotency_key_required idempotency_key", () => Object.assign(call, { key: "not-a-uuid" })],
    ["422 validation_failed idempotency_key", () => Object.assign(call, { key: randomUUID() })],
    ["428 precondition_required", () => Object.assign(call, { ifMatch: "*" })],
    ["428 precondition_required", () => Object.assign(call, { ifMatch: "9" })],
    ["412 version_mismatch", () => Object.assign(call, { ifMatch: '"1"' })],
    [
      "422 validation_failed more,visibility",
      () => Object.assign(call, { body: '{"revision_id":"01ARZ3NDEKTSV4RRFFQ69G5FAV"}' }),
    ],
    [
      "404 not_found",
      () => Object.assign(call, { body: JSON.stringify({ revision_id: creation.latest_revision.id }) }),
    ],
    [
      "409 publication_not_eligible",
      async () => {
        await ability([
          "creations:publish",
          "creations:write",
          "agent:read",
          "profile:write",
          "profile:publish",
        ]);
        await publishFrontPage(agent);
      },
    ],
    [
      "422 validation_failed section",
      () =>
        runSql(service, "UPDATE creation_revisions SET section = NULL WHERE creation_id = $1", [creation.id]),
    ],
    ["409 publication_limit", () => undefined],
  ];
  const seen: string[] = [];
  for (const [, mend] of ladder) {
    seen.push(await answerTo(call));
    await mend();
  }
  expect(seen).toEqual(ladder.map(([expected]) => expected));
});

test("every route and tool that takes a version compares it before it refuses a word that it does not know", async () => {
  const roomy = await openService({ limits: { writesPerMinute: 500 } });
  const agent = await connectAuthor(roomy);
  const { id, latest_revision } = await makeCreation(agent);
  const when = { revision_id: latest_revision.id, publish_at: "2026-12-24T09:00:00Z" };
  await agent.send("POST", `/creations/${id}/schedule`, when, { ifMatch: 1 });
  const ofProfile = (await agent.get("/agent/profile")).json.data.lock_version;
  /** What is told without a version, with a stale one and with that in force, and whether the word is named then. */
  const tell = async (lock: number, word: string, send: (version: number | null) => Promise<Json>) => {
    const [missing, stale, right] = [await send(null), await send(99), await send(lock)];
    return [missing.code, stale.code, right.code, word in (right.errors ?? {})];
  };
  const told = ["precondition_required", "version_mismatch", "validation_failed", true];
  const routes = roomy.routes.filter(({ ifMatch }) => ifMatch === true);
  for (const { method, url, body } of some(routes)) {
    const path = url.replace("/api/v1", "").replace(":creation", id);
    const lock = path.includes(id) ? 2 : ofProfile;
    const ways = body === undefined ? [["?zzz=1"]] : [["?zzz=1"], ["", { zzz: 1 }]];
    for (const [end, body] of ways as [string, object?][]) {
      const send = (ifMatch: number | null) =>
        agent.send(method as "POST", `${path}${end}`, body, { ifMatch }).then(({ json }) => json);
      expect([method, path, end, ...(await tell(lock, "zzz", send))]).toEqual([method, path, end, ...told]);
    }
  }
  const takesVersion = ({ arguments: { shape }, annotations }: Tool) =>
    "lock_version" in shape && !annotations.readOnlyHint;
  const tools = TOOLS.filter(takesVersion);
  for (const { name, arguments: known } of some(tools)) {
    const named = "creation_id" in known.shape ? { creation_id: id } : {};
    for (const word of "full" in known.shape ? ["zzz", "full"] : ["zzz"]) {
      const send = async (lock_version: number | null) => {
        const args = { ...named, lock_version, idempotency_key: randomUUID(), [word]: "maybe" };
        return (await callTool(roomy, agent.token, name, args)).json;
      };
      const lock = "creation_id" in named ? 2 : ofProfile;
      expect([name, ...(await tell(lock, word, send))]).toEqual([name, ...told]);
    }
  }
  expect([routes.length, tools.length]).toEqual([14, 13]);
});

test("a used-up minute is told before a pause, and a missing ability before it", async () => {
  const agent = await connectAgent(service, { abilities: ["creations:write", "agent:read"] });
  const call: Call = {
    url: "/api/v1/creations",
    token: agent.token,
    key: null,
    ifMatch: null,
    contentType: "application/json",
    body: "{}",
  };
  const answers: string[] = [];
  for (let count = 0; count < 41; count++) answers.push(await answerTo(call));
  expect(new Set(answers.slice(0, 40))).toEqual(new Set(["422 idempotency_key_required idempotency_key"]));
  expect(answers[40]).toBe("429 rate_limited");
  await setAgentTimestamp(service, agent.id, "paused_at", now);
  expect(await answerTo(call)).toBe("429 rate_limited");
  const profile = { ...call, url: "/api/v1/agent/profile/publish" };
  expect(await answerTo(profile)).toBe("403 missing_ability");
});

test("a broken body comes before a missing token, but an upload is not read before the token is known", async () => {
  const call = { url: "/api/v1/creations", token: null, key: null, ifMatch: null, body: "{" };
  expect(await answerTo({ ...call, contentType: "application/json" })).toBe("400 http_error");
  const form = "multipart/form-data; boundary=x";
  expect(await answerTo({ ...call, url: "/api/v1/assets", contentType: form })).toBe("401 unauthenticated");
});

test("a stored answer comes before If-Match, fields and the revision that is live by now", async () => {
  const roomy = await openService();
  const agent: TestAgent = await connectAuthor(roomy);
  const creation = await makeCreation(agent);
  const key = randomUUID();
  const body = { revision_id: creation.latest_revision.id };
  const path = `/creations/${creation.id}/publish`;
  const first = await agent.send("POST", path, body, { key, ifMatch: 1 });
  const again = await agent.send("POST", path, body, { key, ifMatch: 1 });
  const without = await agent.send("POST", path, body, { key });
  expect([first.status, again.status, without.status]).toEqual([200, 200, 200]);
  expect(again.text).toBe(first.text);
  expect(again.headers).toMatchObject({ "idempotent-replayed": "true", etag: '"2"' });
  const another = await agent.send("POST", path, { ...body, visibility: "unlisted" }, { key, ifMatch: 1 });
  expect(another.json.code).toBe("idempotency_mismatch");
  const wrong = await agent.send("POST", path, { nonsense: true }, { key });
  expect(wrong.json.code).toBe("idempotency_mismatch");
  const fresh = await agent.send("POST", path, body, { ifMatch: 2 });
  expect(fresh.json.code).toBe("invalid_revision_state");
  expect(fresh.json.message).toMatch(/use restore, or save a new revision/);
});
