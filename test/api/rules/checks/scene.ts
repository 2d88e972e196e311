import { randomUUID } from "node:crypto";
import fc from "fast-check";
import {
  connectAuthor,
  type Json,
  makeCreation,
  publishNew,
  type TestAgent,
} from "../../../support/agent.ts";
import { openService, type TestService, untilJobsAreDone } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { NAUGHTY_STRINGS, wildBody } from "../../../support/wild-bodies.ts";
import { drawFrom } from "../../openapi/body-arbitrary.ts";

const MINUTE_MS = 60_000;
const FIRST_WORKS = 6;
const NOBODY = "01M7WVCCXGEVQM8BZ45NSYPBF2";
const SOON = ["2026-12-24T00:00:00Z", "2026-12-25T18:00:00+01:00"];
const SECTIONS = [{ slug: "reports", name: "Reports" }];
const LIMITS = { publicationsPerDay: 400, updatesPerDay: 400, creations: 12_000, revisionsPerCreation: 30 };

/** A service, an agent with works in every state, and bodies for them. */
export interface Scene {
  service: TestService;
  agent: TestAgent;
  works: Json[];
  bodies: Record<Call["kind"], fc.Arbitrary<Json>>;
}

/** One call and its check. */
export interface Call {
  kind: "create" | "update" | "publish" | "schedule" | "restore" | "patch_profile" | "publish_profile";
  body: Json;
  /** Which of the works it is about. */
  pick: number;
}

/** Opens the service with an agent that has published, scheduled, taken down and emptied. */
export async function openScene(): Promise<Scene> {
  const service = await openService({ limits: LIMITS, config: { siteUrl: "https://site.example.org" } });
  const agent = await connectAuthor(service, { sections: SECTIONS });
  const works = await makeWorks(agent);
  const bodies = await drawBodies(service, agent, works);
  return { service, agent, works, bodies };
}

async function makeWorks(agent: TestAgent): Promise<Json[]> {
  const draft = await makeCreation(agent);
  const live = await publishNew(agent);
  const renewed = await publishNew(agent, { slug: "renewed" });
  const payload = { title: "Later", body_markdown: "It fell." };
  await agent.send("PATCH", `/creations/${renewed.id}`, { payload }, { ifMatch: renewed.lock_version });
  const down = await publishNew(agent);
  await agent.send("POST", `/creations/${down.id}/unpublish`, undefined, { ifMatch: down.lock_version });
  const due = await makeCreation(agent);
  const when = { publish_at: "2026-12-01T00:00:00Z" };
  await agent.send("POST", `/creations/${due.id}/schedule`, when, { ifMatch: 1 });
  const brief = await makeCreation(agent, { type: "brief", payload: { body_markdown: "Up." } });
  return [draft, live, renewed, down, due, brief];
}

async function drawBodies(service: TestService, agent: TestAgent, works: Json[]): Promise<Scene["bodies"]> {
  const { paths, components } = (await agent.get("/openapi.json")).json;
  const known = await makeKnown(service, agent, works);
  const bodyOf = (path: string, method: string): fc.Arbitrary<Json> => {
    const schema = paths[`/api/v1${path}`][method].requestBody.content["application/json"].schema;
    return spoil(drawFrom(schema, components.schemas, known));
  };
  const of = (action: string) => bodyOf(`/creations/{creation}/${action}`, "post");
  return {
    create: bodyOf("/creations", "post"),
    update: bodyOf("/creations/{creation}", "patch"),
    publish: of("publish"),
    schedule: of("schedule"),
    restore: of("restore"),
    patch_profile: bodyOf("/agent/profile", "patch"),
    publish_profile: fc.constant({}),
  };
}

/** Values of members that stand for something. */
async function makeKnown(
  service: TestService,
  agent: TestAgent,
  works: Json[],
): Promise<Record<string, fc.Arbitrary<unknown>>> {
  const table = (await agent.upload("readings.csv", "station,metres\nkey-west,1.2\n")).json.data;
  const document = (await agent.upload("method.md", "Read hourly.\n")).json.data;
  await untilJobsAreDone(service);
  const ids = [...works.map(({ id }) => id), NOBODY];
  const from = { asset_id: table.id, content_sha256: table.content_sha256, aggregate: [{ op: "count" }] };
  const chart = (source: Json) =>
    `\`\`\`chart\n${JSON.stringify({
      data: source,
      mark: "bar",
      encoding: { x: { field: "station", type: "nominal" }, y: { field: "metres", type: "quantitative" } },
    })}\n\`\`\`\n`;
  const { asset_id, content_sha256 } = from;
  const bound = chart({ from: { asset_id, content_sha256, columns: ["station", "metres"] } });
  const texts = [
    "The gauge rose 1.2 m; 1 row.",
    `1 row.\n\n${bound}`,
    `${chart({ from: { asset_id: NOBODY, content_sha256 } })}${bound}`,
    chart({ values: [{ station: "a", metres: "high" }] }),
    "```mermaid\nflowchart LR\n  A -->\n```\n<b>raw</b>\n",
    ...NAUGHTY_STRINGS.slice(0, 40),
  ];
  return {
    title: fc.constantFrom("November surge", "Later", "Renewed", "<b>", ""),
    slug: fc.constantFrom("renewed", "november-surge", "new-one", "Wrong Slug"),
    body_markdown: fc.constantFrom(...texts),
    entries: fc.constantFrom(...ids.map((id) => [id])),
    creation_id: fc.constantFrom(...ids),
    asset_id: fc.constantFrom(table.id, document.id, NOBODY),
    from: fc.constantFrom(from, { ...from, asset_id: NOBODY }),
    text: fc.constantFrom("1", "2"),
    find: fc.constantFrom("gauge", "rose", "nothing"),
    revision_id: fc.constantFrom(1, 1, "latest", NOBODY),
    section: fc.constantFrom("reports", "nowhere"),
    publish: fc.constantFrom({}, { visibility: "unlisted" }, null),
    publish_at: fc.constantFrom(...SOON, ...SOON, "2020-01-01T00:00:00Z", "soon"),
    featured_creation_ids: fc.constantFrom(...ids.map((id) => [id])),
    license: fc.constantFrom("CC-BY-4.0", "odbl-1.0", null),
  };
}

/** Of three bodies one has a member of any other body, a member less, or one that is anything. */
function spoil(bodies: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  const spoiled = fc.tuple(bodies, fc.nat(), wildBody).map(([body, at, wild]) => {
    const names = Object.keys(body);
    const name = names[at % Math.max(1, names.length)] ?? "payload";
    const inside = body[name];
    const isObject = typeof inside === "object" && inside !== null && !Array.isArray(inside);
    if (at % 3 === 0) return { ...body, [name]: wild };
    if (at % 3 === 1 && isObject)
      return { ...body, [name]: { ...inside, [`${Object.keys(inside)[0]}`]: wild } };
    const { [name]: _, ...rest } = body;
    return rest;
  });
  return fc.oneof({ weight: 2, arbitrary: bodies }, { weight: 1, arbitrary: spoiled });
}

/** What is set before a call, and undone behind it; the clock goes on. */
export const STATES: Record<string, { on: string; off: string }> = {
  paused: on("agents SET paused_at = now() WHERE id", "agents SET paused_at = NULL WHERE id"),
  "front page hidden": on(
    "agents SET homepage_hidden_at = now() WHERE id",
    "agents SET homepage_hidden_at = NULL WHERE id",
  ),
  "works hidden": on(
    "creations SET hidden_at = now() WHERE agent_id",
    "creations SET hidden_at = NULL WHERE agent_id",
  ),
  "works retracted": on(
    `creations SET retracted_at = now(), retracted_by = 'agent', retracted_reason = 'Wrong.',
      reinstated_reason = NULL, retraction_changed_at = now() WHERE live_revision_id IS NOT NULL AND agent_id`,
    "creations SET retracted_at = NULL, retracted_by = NULL, retracted_reason = NULL WHERE agent_id",
  ),
  "works erased": on(
    "creations SET erased_at = now() WHERE visibility = 'private' AND agent_id",
    "creations SET erased_at = NULL WHERE agent_id",
  ),
  "limits used up": on(
    `agents SET own_limits = '{"publicationsPerDay": 0, "updatesPerDay": 0}' WHERE id`,
    "agents SET own_limits = NULL WHERE id",
  ),
  "quotas used up": on(
    `agents SET own_limits = '{"creations": 1, "revisionsPerCreation": 1, "profileRevisions": 1}' WHERE id`,
    "agents SET own_limits = NULL WHERE id",
  ),
  "no right to publish": on(
    "tokens SET abilities = '{creations:read,creations:write,agent:read,profile:write}' WHERE agent_id",
    "tokens SET abilities = ALL_ABILITIES WHERE agent_id",
  ),
};

function on(set: string, unset: string) {
  return { on: `UPDATE ${set} = $1`, off: `UPDATE ${unset} = $1` };
}

/** Lets time pass. */
export function moveClock(service: TestService, minutes: number): void {
  service.clock.nowMs += minutes * MINUTE_MS;
}

/** Asks the check and then the call, with the version in force. */
export async function play({ service, agent, works }: Scene, call: Call) {
  const { kind, pick } = call;
  // Half of the calls are about the first works, which are in every state; the others are mostly drafts.
  const work = works[(pick >> 1) % (pick % 2 === 0 ? FIRST_WORKS : works.length)];
  const body = await nameRevision(service, call.body, work);
  if (kind === "create") {
    const check = await agent.send("POST", "/creations/check", body, { key: null });
    const reply = await agent.send("POST", "/creations", body);
    if (reply.status === 201) works.push(reply.json.data);
    return { check, reply };
  }
  if (kind === "patch_profile" || kind === "publish_profile") return await playProfile(agent, kind, body);
  const path = `/creations/${work.id}`;
  const { lock_version } = (await agent.get(path)).json.data;
  const isUpdate = kind === "update";
  const asked = isUpdate || typeof body !== "object" ? body : { action: kind, lock_version, ...body };
  const check = await agent.send("POST", `${path}/check`, asked, { key: null });
  const reply = isUpdate
    ? await agent.send("PATCH", path, body, { ifMatch: lock_version })
    : await agent.send("POST", `${path}/${kind}`, body, { ifMatch: lock_version });
  return { check, reply };
}

async function playProfile(agent: TestAgent, kind: "patch_profile" | "publish_profile", body: Json) {
  const { draft, lock_version: ifMatch } = (await agent.get("/agent/profile")).json.data;
  const check = await agent.send(
    "POST",
    "/agent/profile/check",
    { ...body, lock_version: ifMatch },
    { key: null },
  );
  // An empty body asks about the draft.
  const reply =
    kind === "patch_profile" && Object.keys(body).length > 0
      ? await agent.send("PATCH", "/agent/profile", body, { ifMatch, key: randomUUID() })
      : await agent.send("POST", "/agent/profile/publish", { revision_id: draft.revision_id }, { ifMatch });
  return { check, reply };
}

async function nameRevision(service: TestService, body: Json, work: Json): Promise<Json> {
  if (body?.revision_id !== "latest") return body;
  const [row] = await runSql(service, "SELECT latest_revision_id AS id FROM creations WHERE id = $1", [
    work.id,
  ]);
  return { ...body, revision_id: row.id };
}
