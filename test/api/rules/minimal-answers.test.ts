import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { connectAuthor, type Json, type Reply } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";
import { call } from "../mcp/rpc.ts";

const MINIMAL = { prefer: "return=minimal" };
const CREATION = [
  ...["id", "type", "slug", "visibility", "review_state", "public_url", "json_url", "lock_version"],
  ...["latest_revision", "published_revision", "scheduled_publication"],
];

const service = await openService();
const agent = await connectAuthor(service);

const payload = { title: "November surge", body_markdown: "The gauge rose. ".repeat(2_000) };
const create = (headers: Record<string, string>, key = randomUUID()) =>
  agent.send("POST", "/creations", { type: "story", payload }, { key, headers });

function expectMinimal(reply: Reply, status: number, members: readonly string[]): Json {
  expect([reply.status, reply.headers["preference-applied"]]).toEqual([status, "return=minimal"]);
  expect(Object.keys(reply.json.data)).toEqual(members);
  return reply.json.data;
}

describe("with Prefer: return=minimal", () => {
  test("every write of a creation answers with ids, states and versions", async () => {
    const created = await create(MINIMAL);
    let creation = expectMinimal(created, 201, CREATION);
    const { latest_revision: latest } = creation;
    expect(latest).toEqual({ id: expect.any(String), revision_number: 1, state: "draft" });
    expect([creation.published_revision, created.headers.location]).toEqual([
      null,
      `http://localhost:3000/api/v1/creations/${creation.id}`,
    ]);

    const write = async (method: "POST" | "PATCH" | "DELETE", action: string, body: Json = undefined) => {
      const options = { ifMatch: creation.lock_version, headers: MINIMAL };
      const reply = await agent.send(method, `/creations/${creation.id}${action}`, body, options);
      creation = expectMinimal(reply, 200, CREATION);
      expect(reply.headers.etag).toBe(`"${creation.lock_version}"`);
      expect(reply.text.length).toBeLessThan(1_200);
      return creation;
    };
    const publish_at = "2026-12-24T12:00:00Z";
    const scheduled = await write("POST", "/schedule", { revision_id: latest.id, publish_at });
    expect(scheduled.scheduled_publication).toMatchObject({ status: "pending", publish_at });
    expect((await write("DELETE", "/schedule")).scheduled_publication.status).toBe("cancelled");
    const published = await write("POST", "/publish", { revision_id: latest.id });
    expect(published.published_revision).toEqual({ id: latest.id, revision_number: 1 });
    expect(published.public_url).toContain(creation.slug);
    await write("POST", "/visibility", { visibility: "unlisted" });
    await write("PATCH", "", { payload, change_summary: "Again." });
    await write("POST", "/unpublish");
    await write("POST", "/restore", { revision_id: latest.id });
  });

  test("every write of a profile does", async () => {
    const { lock_version } = (await agent.get("/agent/profile")).json.data;
    const patch = { tagline: "Gauges of the coast" };
    const options = { ifMatch: lock_version, headers: MINIMAL, key: null };
    const saved = expectMinimal(await agent.send("PATCH", "/agent/profile", patch, options), 200, [
      ...["draft", "published", "lock_version"],
    ]);
    const stateOf = (state: string) => ({ revision_id: expect.any(String), state });
    expect(saved).toMatchObject({ draft: stateOf("draft"), published: stateOf("published") });
    const publication = { revision_id: saved.draft.revision_id };
    const how = { ifMatch: saved.lock_version, headers: MINIMAL };
    const published = await agent.send("POST", "/agent/profile/publish", publication, how);
    expect(expectMinimal(published, 200, ["draft", "published", "lock_version"]).published).toEqual({
      revision_id: saved.draft.revision_id,
      state: "published",
    });
  });

  test.each(["return=minimal", "respond-async, return=minimal", 'foo; bar="a", RETURN="minimal"; x=1'])(
    "an upload does, asked by %s",
    async (prefer) => {
      const reply = await agent.upload("a.csv", `a\n${prefer.length}\n`, { headers: { prefer } });
      const members = ["id", "readiness", "readiness_reason", "content_sha256"];
      expect(expectMinimal(reply, 201, members).readiness).toBe(
        prefer.startsWith("respond") ? "processing" : "ready",
      );
    },
  );

  test("refusals are the same", async () => {
    const body = { type: "story", payload: { title: "No text" } };
    const [plain, minimal] = await Promise.all(
      [{}, MINIMAL].map((headers) => agent.send("POST", "/creations", body, { headers })),
    );
    expect([minimal?.status, minimal?.json.errors]).toEqual([422, plain?.json.errors]);
    expect(minimal?.headers["preference-applied"]).toBeUndefined();
  });
});

test.each(["return=representation", "minimal", "return=representation, return=minimal", "handling=strict"])(
  "%s is no wish for a minimal answer",
  async (prefer) => {
    const reply = await create({ prefer });
    expect(reply.headers["preference-applied"]).toBeUndefined();
    expect(reply.json.data.latest_revision.payload).toMatchObject(payload);
  },
);

test("a replay has the form of the first answer, whatever is preferred", async () => {
  for (const [first, then] of [
    [MINIMAL, {}],
    [{}, MINIMAL],
  ] as const) {
    const key = randomUUID();
    const answer = await create(first, key);
    const replay = await create(then, key);
    expect([replay.headers["idempotent-replayed"], replay.text]).toEqual(["true", answer.text]);
    expect(replay.headers["preference-applied"]).toBe(answer.headers["preference-applied"]);
  }
});

describe("a tool that writes", () => {
  const send = (tool: string, args: Json) =>
    call(service, agent.token, tool, { ...args, idempotency_key: randomUUID() });

  test("answers with everything where full is true, and refuses what is neither true nor false", async () => {
    for (const full of [true, "true"]) {
      const { json } = await send("create_creation", { type: "story", payload, full });
      expect(json.data.latest_revision.payload).toMatchObject(payload);
    }
    for (const full of [false, "false", null, undefined]) {
      const { json } = await send("create_creation", { type: "story", payload, full });
      expect([json.status, Object.keys(json.data)]).toEqual([201, CREATION]);
    }
    const { total } = (await agent.get("/creations")).json.meta;
    for (const full of ["yes", 1, {}]) {
      const { json } = await send("create_creation", { type: "story", payload, full });
      expect([json.status, json.errors]).toEqual([422, { full: ["The full must be true or false."] }]);
    }
    expect((await agent.get("/creations")).json.meta.total).toBe(total);
  });
});

describe("with fields=summary", () => {
  test.each([
    ["get_profile", "/agent/profile", ["introduction_markdown", "about_markdown"]],
    ["get_creation", "/creations/:id", ["payload"]],
    ["get_revision", "/creations/:id/revisions/1", ["payload"]],
  ])("%s and its address leave the long texts out, and nothing else", async (tool, path, texts) => {
    const { id } = (await create({})).json.data;
    const url = path.replace(":id", id);
    const whole = await agent.get(url);
    const summary = await agent.get(`${url}?fields=summary`);
    expect(summary.status).toBe(200);
    const rest = JSON.stringify(whole.json, (name, value) => (texts.includes(name) ? undefined : value));
    expect(rest.length).toBeLessThan(JSON.stringify(whole.json).length);
    expect([summary.json, summary.headers.etag]).toEqual([JSON.parse(rest), whole.headers.etag]);
    const wrong = await agent.get(`${url}?fields=summaries&field=x`);
    expect([wrong.status, Object.keys(wrong.json.errors)]).toEqual([422, ["field", "fields"]]);
    // It has parts.
    if (tool === "get_creation") return;
    const args = { creation_id: id, revision_id: "1" };
    const names = tool === "get_profile" ? {} : args;
    const asked = await call(service, agent.token, tool, { ...names, without_text: "true" });
    expect(asked.json.data).toEqual(summary.json.data);
    for (const without_text of [undefined, false, null]) {
      const full = await call(service, agent.token, tool, { ...names, without_text });
      expect(full.json.data).toEqual(whole.json.data);
    }
    const refused = await call(service, agent.token, tool, { ...names, without_text: "perhaps" });
    expect([refused.json.status, Object.keys(refused.json.errors)]).toEqual([422, ["without_text"]]);
  });
});
