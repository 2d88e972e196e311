import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { closeDeps } from "../../../shared/platform/deps.ts";
import {
  connectAgent,
  makeCreation,
  publish,
  publishFrontPage,
  speakAs,
  type TestAgent,
} from "../../support/agent.ts";
import { uploadReady } from "../../support/inspection.ts";
import { openService, type TestService } from "../../support/service.ts";
import { runSql } from "../../support/tables.ts";
import { openProcess, type Process } from "../http/page-cache/scene.ts";

let service: TestService;
/** Each of its reads is a statement of its own. */
let apart: Process;
let agents: TestAgent[];
/** The same agents, who ask the other process. */
let others: TestAgent[];
let paths: string[];

beforeAll(async () => {
  service = await openService({ workers: false });
  apart = await openProcess(service, 0, { batchedReads: false });
  const made = await Promise.all(["tide", "ebb", "flow"].map(makeAgent));
  agents = made.map(({ agent }) => agent);
  others = agents.map((agent) => speakAs({ ...service, app: apart.app }, agent));
  paths = made.flatMap(({ ids }) => listPaths(ids));
  // A text is sent for several requests at once when it has come a few times.
  for (let time = 0; time < 4; time++) await readAll(agents);
});
afterAll(async () => {
  await apart.app.close();
  await closeDeps(apart.deps);
  await service.close();
});

async function makeAgent(handle: string) {
  const agent = await connectAgent(service, { handle });
  await publishFrontPage(agent, { display_name: `The ${handle}` });
  const { id: file } = await uploadReady(
    service,
    agent,
    `${handle}.csv`,
    `day,level\n2026-11-20,${handle.length}\n`,
  );
  const payload = { title: `Levels of ${handle}`, attachments: [{ asset_id: file, label: "Levels" }] };
  const data = await publish(agent, await makeCreation(agent, { type: "dataset", payload }));
  const draft = await makeCreation(agent, { slug: "draft" });
  const due = { revision_id: draft.latest_revision.id, publish_at: "2026-12-01T00:00:00Z" };
  await agent.send("PUT", `/creations/${draft.id}/schedule`, due, { ifMatch: draft.lock_version });
  const entries = [data.id, draft.id];
  await makeCreation(agent, {
    type: "collection",
    payload: { title: "All", summary: "All of it.", entries },
  });
  return { agent, ids: { file, data: data.id, draft: draft.id, revision: data.latest_revision.id } };
}

function listPaths({ file, data, draft, revision }: Record<string, string>): string[] {
  const ofWork = [data, draft].flatMap((id) => [
    `/creations/${id}`,
    `/creations/${id}?fields=summary`,
    `/creations/${id}/revisions`,
    `/creations/${id}/revisions/1`,
    `/creations/${id}/revisions/9`,
    `/creations/${id}/schedule`,
    `/creations/${id}/reads`,
  ]);
  return [
    ...["/agent", "/agent/profile", "/agent/reads", "/assets", `/assets/${file}`],
    ...[
      "/creations",
      "/creations?per_page=1&page=2",
      "/creations?state=draft",
      "/creations?visibility=public",
    ],
    ...["/creations?page=9", "/creations?state=none", "/creations/nothing", "/events", "/watches"],
    ...[...ofWork, `/creations/${data}/revisions/${revision}`],
  ];
}

/** Every agent asks for everything at once, what belongs to others too. */
async function readAll(readers: readonly TestAgent[]) {
  const replies = await Promise.all(
    readers.flatMap((agent) => paths.map(async (path) => ({ path, agent, reply: await agent.get(path) }))),
  );
  return replies.map(({ path, agent, reply: { status, headers, text } }) => {
    for (const name of ["date", "x-request-id", "ratelimit"]) delete headers[name];
    return [agent.handle, path, status, headers, text.replace(/"request_id":"\w+"/, "")];
  });
}

test("answers are the same, byte for byte, where each read is a statement of its own", async () => {
  const answers = await readAll(agents);
  expect(answers).toEqual(await readAll(others));
  const found = new Set(answers.flatMap(([, path, status]) => (status === 200 ? [path] : [])));
  expect(found.size).toBeGreaterThan(40);
});

test("requests at the same time share statements", async () => {
  service.statements.length = 0;
  const path = "/agent";
  await Promise.all(agents.flatMap((agent) => Array.from({ length: 10 }, () => agent.get(path))));
  expect(service.statements.length).toBeGreaterThan(0);
  expect(service.statements.length).toBeLessThan(2 * 10 * agents.length);
});

const STATES: Record<string, [change: string, status: number]> = {
  "a revoked token": ["UPDATE tokens SET revoked_at = now() WHERE agent_id = $1", 401],
  "a token that ran out": ["UPDATE tokens SET expires_at = '2026-11-20T08:00:00Z' WHERE agent_id = $1", 401],
  "an archived agent": ["UPDATE agents SET archived_at = now() WHERE id = $1", 401],
  "a suspended agent": ["UPDATE agents SET suspended_at = now() WHERE id = $1", 403],
  "a suspended owner": [
    "UPDATE owners SET status = 'suspended' WHERE id = (SELECT owner_id FROM agents WHERE id = $1)",
    403,
  ],
  "an agent whose claim is open": ["UPDATE agents SET claimed_at = NULL WHERE id = $1", 403],
  "a token that lost its ability": ["UPDATE tokens SET abilities = '{agent:read}' WHERE agent_id = $1", 403],
};

beforeEach(async () => {
  await runSql(service, "UPDATE tokens SET revoked_at = NULL, expires_at = NULL");
  await runSql(service, "UPDATE agents SET archived_at = NULL, suspended_at = NULL, claimed_at = created_at");
  await runSql(service, "UPDATE owners SET status = 'active'");
});

test.each(Object.keys(STATES))(
  "%s counts from the next request on, amid the reads of others",
  async (name) => {
    const [change, status] = STATES[name] ?? ["", 0];
    const [first, second, third] = agents as [TestAgent, TestAgent, TestAgent];
    const crowd = () => Array.from({ length: 20 }, (_, n) => (n % 2 ? second : third).get("/creations"));
    const before = [...crowd(), first.get("/creations")];
    await runSql(service, change, [first.id]);
    const [refused, ...rest] = await Promise.all([first.get("/creations"), ...crowd()]);
    expect(refused.status).toBe(status);
    expect(new Set(rest.map((reply) => reply.status))).toEqual(new Set([200]));
    expect(refused.json.code).toBe((await others[0]?.get("/creations"))?.json.code);
    await Promise.all(before);
  },
);
