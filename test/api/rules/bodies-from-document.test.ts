import fc from "fast-check";
import { expect, test } from "vitest";
import {
  connectAuthor,
  type Json,
  makeCode,
  makeCreation,
  makeOwner,
  publish,
  publishNew,
  type Reply,
  request,
} from "../../support/agent.ts";
import { runs } from "../../support/depth.ts";
import { openService, untilJobsAreDone } from "../../support/service.ts";
import { drawFrom } from "../openapi/body-arbitrary.ts";
import { UNTOLD } from "./untold-refusals.ts";

const BODIES = 2_000;
/** Stand for the revision of the work that a body is sent to, and for a code that nobody used. */
const REVISION = "01M7WVM8W0T8NYB19BE1ATAT9N";
const NEW_CODE = "a new code";

const MANY = 1_000_000;
const limits = {
  ...{ publicationsPerDay: MANY, updatesPerDay: MANY, creations: MANY, revisionsPerCreation: MANY },
  ...{ agentsPerOwner: MANY, profileRevisions: MANY, revocationsPerHour: MANY },
};
let own: Json;
let table: Json;
let document: Json;

interface Operation {
  method: "POST" | "PATCH" | "PUT";
  path: string;
  bodies: fc.Arbitrary<Json>;
}

const service = await openService({ limits, config: { siteUrl: "https://site.example.org" } });
const agent = await connectAuthor(service, { sections: [{ slug: "reports", name: "Reports" }] });
const { paths, components } = (await agent.get("/openapi.json")).json;
const known = await makeKnown();
const operations = Object.entries<Json>(paths).flatMap(([path, item]) =>
  Object.entries<Json>(item).flatMap(([method, { requestBody }]) => {
    const schema = requestBody?.content["application/json"]?.schema;
    if (schema === undefined) return [];
    const bodies: fc.Arbitrary<Json> = drawFrom(schema, components.schemas, known);
    return [{ method: method.toUpperCase() as "POST", path: path.slice("/api/v1".length), bodies }];
  }),
);

/** Values of members that stand for something: random ones would stand for nothing. */
async function makeKnown(): Promise<Record<string, fc.Arbitrary<unknown>>> {
  const other = await connectAuthor(service);
  own = await publishNew(agent);
  const cited = await publishNew(other);
  table = (await agent.upload("readings.csv", "station,metres\nkey-west,1.2\n")).json.data;
  document = (await agent.upload("method.md", "Read hourly.\n")).json.data;
  await untilJobsAreDone(service);
  const topics = (await agent.get("/topics")).json.data.map(({ id }: Json) => id);
  const future = fc.integer({ min: 1, max: 364 }).map((days) => {
    return new Date(service.clock.nowMs + days * 86_400_000).toISOString();
  });
  return {
    topic_ids: fc.uniqueArray(fc.constantFrom(...topics), { maxLength: 3 }),
    linked_agent_ids: fc.constant([other.id]),
    featured_creation_ids: fc.constant([own.id]),
    entries: fc.constant([own.id]),
    asset_id: fc.constantFrom(table.id, document.id),
    from: fc.constant({
      ...{ asset_id: table.id, content_sha256: table.content_sha256 },
      aggregate: [{ op: "count" }],
    }),
    creation_id: fc.constantFrom(own.id, cited.id),
    superseded_by: fc.constantFrom(own.id, cited.id, null),
    revision_id: fc.constant(REVISION),
    section: fc.constant("reports"),
    signature: fc.constant(null),
    enrollment_code: fc.constant(NEW_CODE),
    publish_at: future,
    rows: fc.constant([{ station: "key-west", metres: 1.2 }]),
    license: fc.constantFrom("CC-BY-4.0", "odbl-1.0", null),
    default_license: fc.constantFrom("cc0-1.0", "MIT", null),
    language: fc.constantFrom("pt-br", "zh-Hant", null),
    default_language: fc.constantFrom("EN", "ar", null),
  };
}

/** The least payload of the type that a body is for. */
function payloadFor({ type, payload }: Json): { type: string; payload: Json } {
  const members = Object.keys(payload ?? {});
  const title = "November surge";
  if (type === "brief" || (payload && !members.includes("title"))) {
    return { type: "brief", payload: { body_markdown: "Up." } };
  }
  if (type === "external_project" || members.includes("external_url")) {
    const external_url = "https://example.org/surge";
    return { type: "external_project", payload: { title, external_url, destination_label: "Map" } };
  }
  if (type === "collection" || members.includes("entries")) {
    return { type: "collection", payload: { title, entries: [own.id] } };
  }
  if (type === "dataset" || type === "file" || members.includes("attachments")) {
    const attachments = [{ asset_id: type === "file" ? document.id : table.id, label: "Readings" }];
    return { type: type ?? "dataset", payload: { title, attachments } };
  }
  return { type: "story", payload: { title, body_markdown: "It rose 1.2 m." } };
}

/** Sends a body to its address, where it has one to the revision of a new work in the state that the address is for. */
async function send({ method, path }: Operation, body: Json): Promise<Reply> {
  if (path === "/agents") return await enrol(body);
  if (path.includes("{creation}")) {
    const draft = await makeCreation(
      agent,
      payloadFor(path.endsWith("/append") ? { type: "dataset" } : body),
    );
    const published = /restore|visibility|retract|reinstate/.test(path) ? await publish(agent, draft) : draft;
    const work = path.endsWith("/reinstate") ? await retract(published) : published;
    const address = path.replace("{creation}", work.id);
    return await agent.send(method, address, withRevision(body, work.latest_revision.id), {
      ifMatch: work.lock_version,
    });
  }
  if (path === "/watches/questions/{name}") return await watch(method, body);
  if (!path.startsWith("/agent/profile")) return await agent.send(method, path, body);
  let profile = (await agent.get("/agent/profile")).json.data;
  if (path === "/agent/profile/publish") {
    const draft = { display_name: "Tide Watch", sections: [{ slug: "reports", name: "Reports" }] };
    profile = (await agent.send("PATCH", "/agent/profile", draft, { ifMatch: profile.lock_version })).json
      .data;
  }
  const sent = withRevision(body, profile.draft?.revision_id);
  return await agent.send(method, path, sent, { ifMatch: profile.lock_version });
}

/** Watches the answer of the one file of a dataset. */
async function watch(method: Operation["method"], { label: _, ...body }: Json): Promise<Reply> {
  const { id } = await publishNew(agent, payloadFor({ type: "dataset" }));
  return await agent.send(method, "/watches/questions/highest", { ...body, creation_id: id });
}

async function retract({ id, lock_version: ifMatch }: Json): Promise<Json> {
  const sent = await agent.send("POST", `/creations/${id}/retract`, { reason: "In feet." }, { ifMatch });
  return sent.json.data;
}

async function enrol(body: Json): Promise<Reply> {
  const code = await makeCode(service, await makeOwner(service));
  const headers = "enrollment_code" in body ? {} : { authorization: `Bearer ${code}` };
  const payload = body.enrollment_code === NEW_CODE ? { ...body, enrollment_code: code } : body;
  return await request(service, { method: "POST", url: "/api/v1/agents", headers, payload });
}

function withRevision(body: Json, id: string | undefined): Json {
  return body.revision_id === REVISION && id !== undefined ? { ...body, revision_id: id } : body;
}

test(`${runs(BODIES)} bodies that the document allows are refused only for what no schema tells`, async () => {
  const taken = new Set<string>();
  let sent = 0;
  let takenBodies = 0;
  const faults: unknown[] = [];
  const seed = fc.readConfigureGlobal().seed ?? Date.now();
  const numRuns = Math.ceil(runs(BODIES) / operations.length);
  for (const operation of operations) {
    const name = `${operation.method} ${operation.path}`;
    for (const body of fc.sample(operation.bodies, { seed, numRuns })) {
      const { status, json } = await send(operation, body);
      sent++;
      if (status < 400) {
        takenBodies++;
        taken.add(name);
      }
      const told = listTold(status, json);
      if (told.length > 0) faults.push({ name, told, body });
    }
  }
  expect({ seed, faults }).toEqual({ seed, faults: [] });
  expect([...taken]).toEqual(operations.map(({ method, path }) => `${method} ${path}`));
  expect(takenBodies).toBeGreaterThan(sent / 2);
}, 300_000);

/** The sentences of a refusal that a schema could have told. */
function listTold(status: number, { code, message, errors }: Json): string[] {
  if (status < 400) return [];
  const sentences = Object.values<string[]>(errors).flat();
  return (sentences.length === 0 ? [message] : sentences).filter(
    (text) => !UNTOLD.some((line) => line.code === code && line.sentence.test(text)),
  );
}
