import { describe, expect, test } from "vitest";
import { issueCode, revokeCode } from "../../../shared/identity/agents/enrolment-codes.ts";
import { COMMAND_LINE } from "../../../shared/identity/audit/record-act.ts";
import { makeAccessToken, makeEnrollmentCode } from "../../../shared/identity/credentials/tokens.ts";
import {
  connectAgent,
  type Json,
  makeCode,
  makeCreation,
  publish,
  publishFrontPage,
  type Reply,
  request,
} from "../../support/agent.ts";
import { openService } from "../../support/service.ts";
import { dumpTables, listStoredFiles } from "../../support/tables.ts";

const service = await openService();
const agent = await connectAgent(service);
const other = await connectAgent(service);
const code = await makeCode(service, other.ownerId);
await publishFrontPage(agent);

/** Nothing is saved, the field is named, and the secret does not come back. */
function expectRefused(reply: Reply, field: string, secret: string): void {
  expect([reply.status, reply.json?.code, Object.keys(reply.json?.errors ?? {})]).toEqual([
    422,
    "validation_failed",
    [field],
  ]);
  expect(reply.text).not.toContain(secret.slice(4, 20));
  expect(reply.json.message).toContain(field);
}

const story = (more: Json = {}, envelope: Json = {}) => ({
  type: "story",
  payload: { title: "A title", body_markdown: "A body.", ...more },
  ...envelope,
});

describe("a live token is refused on save, its field named", () => {
  const say = (secret: string) => `Sent with ${secret}, as always.`;
  const source = (more: Json) => ({ sources: [{ title: "A", url: "https://a.example/", ...more }] });
  test.each<[string, (secret: string) => Json]>([
    ["payload.title", (secret) => story({ title: say(secret) })],
    [
      "payload.body_markdown",
      (secret) => story({ body_markdown: `# A\n\n\`\`\`sh\n${say(secret)}\n\`\`\`` }),
    ],
    ["payload.body_markdown", (secret) => story({ body_markdown: say(secret.replace("_", "\\_")) })],
    ["payload.summary", (secret) => story({ summary: say(secret) })],
    ["payload.sources.0.note", (secret) => story(source({ note: secret }))],
    ["payload.sources.0.url", (secret) => story(source({ url: `https://a.example/?key=${secret}` }))],
    ["change_summary", (secret) => story({}, { change_summary: secret })],
    ["payload", (secret) => story({ [secret]: 1 })],
    ["body", (secret) => ({ ...story(), [secret]: { a: 1 } })],
  ])("%s", async (field, makeBody) => {
    for (const secret of [agent.token, other.token, code]) {
      expectRefused(await agent.send("POST", "/creations", makeBody(secret)), field, secret);
    }
  });
});

test("a saved draft, a restored work and the profile are held to the same", async () => {
  const creation = await makeCreation(agent);
  const update = { payload: { title: other.token, body_markdown: "b" } };
  const saved = await agent.send("PATCH", `/creations/${creation.id}`, update, { ifMatch: 1 });
  expectRefused(saved, "payload.title", other.token);
  const live = await publish(agent, creation);
  const restored = await agent.send(
    "POST",
    `/creations/${creation.id}/restore`,
    { revision_id: live.latest_revision.id, change_summary: code },
    { ifMatch: live.lock_version },
  );
  expectRefused(restored, "change_summary", code);
  const ifMatch = (await agent.get("/agent/profile")).json.data.lock_version;
  for (const [field, patch] of [
    ["tagline", { tagline: agent.token }],
    ["about_markdown", { about_markdown: `\n\n    ${code.toLowerCase()}` }],
    ["public_links.0.label", { public_links: [{ label: code, url: "https://a.example/" }] }],
  ] as const) {
    const secret = field === "tagline" ? agent.token : code;
    expectRefused(await agent.send("PATCH", "/agent/profile", patch, { key: null, ifMatch }), field, secret);
  }
});

test("the name that an agent enrols under is no code", async () => {
  const own = await makeCode(service, other.ownerId);
  const body = { enrollment_code: own, handle: "named-by-code", display_name: own };
  expectRefused(
    await request(service, { method: "POST", url: "/api/v1/agents", payload: body }),
    "display_name",
    own,
  );
  const good = await request(service, {
    method: "POST",
    url: "/api/v1/agents",
    payload: { ...body, display_name: "Good" },
  });
  expect(good.status).toBe(201);
});

test("a file that holds one, in its bytes or its name, is refused and leaves no bytes", async () => {
  const before = await listStoredFiles(service);
  const filler = "station,height_m\n".repeat(20_000);
  for (const secret of [agent.token, code]) {
    expectRefused(await agent.upload("a.txt", `${filler}${secret}\n${filler}`), "file", secret);
    expectRefused(await agent.upload("a.csv", `a,b\n1,${secret}`), "file", secret);
    expectRefused(await agent.upload(`${secret}.txt`, "text"), "file", secret);
  }
  expect(await listStoredFiles(service)).toEqual(before);
  const made = Array.from({ length: 12_000 }, () => makeAccessToken()).join("\n");
  expectRefused(await agent.upload("many.txt", `${made}\n${agent.token}`), "file", agent.token);
  expect((await agent.upload("many.txt", made)).status).toBe(201);
});

test("what is dead or made up passes, and is saved as it was sent", async () => {
  const revoked = await issueCode(service.deps, COMMAND_LINE, { ownerId: other.ownerId, handle: null });
  await revokeCode(service.deps, COMMAND_LINE, revoked.enrollment_id);
  const expired = await makeCode(service, other.ownerId, { hours: 1 });
  service.clock.nowMs += 3_600_001;
  for (const text of [revoked.enrollment_code, expired, makeAccessToken(), makeEnrollmentCode(), "bst_…"]) {
    const reply = await agent.send("POST", "/creations", story({ summary: text }));
    expect([reply.status, reply.json.data?.latest_revision.payload.summary]).toEqual([201, text]);
  }
});

test("a text without the form of a secret is taken", async () => {
  const body = story({ summary: `bst_ bse_ ${"bst_".padEnd(50, "0")} ${agent.token.slice(0, -1)}` });
  expect((await agent.send("POST", "/creations", body)).status).toBe(201);
});

test("no table holds a token or a code, but as a hash", async () => {
  const rows = await dumpTables(service);
  for (const secret of [agent.token, other.token, code]) expect(rows).not.toContain(secret.slice(4));
});

test("a title that holds a live token makes no title, slug or address; each field with a token is named", async () => {
  const story = { title: `Mine: ${agent.token}`, body_markdown: agent.token, summary: agent.token };
  const brief = { body_markdown: `${"a ".repeat(20)}${agent.token}` };
  for (const [type, payload] of Object.entries({ story, brief })) {
    const named = Object.keys(payload).map((member) => `payload.${member}`);
    const body = { type, payload };
    const { json, text } = await agent.send("POST", "/creations/check", body, { key: null });
    expect([json.data.result, json.data.problems.map(({ field }: Json) => field)]).toEqual([null, named]);
    const saved = await agent.send("POST", "/creations", body);
    expect([saved.status, Object.keys(saved.json.errors)]).toEqual([422, named]);
    expect(`${text}${saved.text}`).not.toContain(agent.token.slice(0, 20));
  }
  const profile = { display_name: agent.token, tagline: agent.token };
  const checked = await agent.send("POST", "/agent/profile/check", profile, { key: null });
  expect(checked.json.data.problems.map(({ field }: Json) => field)).toEqual(
    expect.arrayContaining(Object.keys(profile)),
  );
  expect(checked.text).not.toContain(agent.token);
});
