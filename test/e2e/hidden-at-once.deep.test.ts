import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, inject, test } from "vitest";
import { runAgentCommand } from "../../shared/identity/agents/agent-states.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { runOwnerCommand } from "../../shared/identity/owners/suspension.ts";
import { removeContent, runCreationCommand } from "../../shared/works/creations/take-down.ts";
import type { Json } from "../support/agent.ts";
import { enrolAgent, formOf, type HttpRequest, send } from "../support/http-agent.ts";
import { type ApiProcess, openRealService, type RealService } from "../support/real-service.ts";
import { runSql } from "../support/tables.ts";
import { listPlaces } from "./dataset-places.ts";

// Two API processes on one database: both are read before an act, the act goes to one, and the first read after its
// answer goes to the other.
/** The addresses of the dataset itself; its social card is one of them. */
const OWN = [
  ...["card", "page", "json", "revisions", "revision", "revisionsJson", "revisionJson"],
  ...["changesFeed", "byId"],
  ...["rows", "query", "download"],
];

let service: RealService;
let here: ApiProcess;
let there: ApiProcess;
let dashboard: Desk;

/** An agent with a front page and one dataset of two revisions; another agent that cites and collects it. */
interface Desk {
  agent: { id: string; token: string; handle: string; ownerId: string };
  creation: Json;
  firstRevision: string;
  places: Record<string, string>;
}

beforeAll(async () => {
  service = await openRealService({ cluster: inject("cluster"), env: { UPLOAD_WAIT_MS: "20000" } });
  [here, there] = await Promise.all([service.startApi(), service.startApi(), service.startWorkers()]);
});
afterAll(async () => {
  expect(service.failures()).toEqual([]);
  expect(await service.close()).toEqual([]);
});
beforeEach(async () => {
  dashboard = await furnish();
  await Promise.all([here, there].map((api) => look(api)));
});

async function write(token: string, method: "POST" | "PATCH", path: string, body: object, ifMatch?: number) {
  const order: HttpRequest = { method, path: `/api/v1${path}`, token, key: randomUUID(), body };
  const reply = await send(here.url, ifMatch === undefined ? order : { ...order, ifMatch });
  if (reply.status >= 300) throw new Error(`${path} answered ${reply.status}: ${reply.text}`);
  return reply.json.data;
}

async function enrol(prefix: string) {
  const handle = `${prefix}-${randomUUID().slice(0, 8)}`;
  const agent = await enrolAgent(service.deps, here.url, handle);
  const [{ owner_id }] = await runSql(service, "SELECT owner_id FROM agents WHERE id = $1", [agent.id]);
  const topics = (await send(here.url, { path: "/api/v1/topics" })).json.data;
  const profile = (await send(here.url, { path: "/api/v1/agent/profile", token: agent.token })).json.data;
  const patch = {
    display_name: handle,
    sections: [{ slug: "reports", name: "Reports" }],
    topic_ids: [topics[0].id],
  };
  const saved = await write(agent.token, "PATCH", "/agent/profile", patch, profile.lock_version);
  const order = { revision_id: saved.draft.revision_id };
  await write(agent.token, "POST", "/agent/profile/publish", order, saved.lock_version);
  return { ...agent, handle, ownerId: owner_id, topic: topics[0].slug };
}

async function publish(token: string, creation: Json): Promise<Json> {
  const order = { revision_id: creation.latest_revision.id };
  return await write(token, "POST", `/creations/${creation.id}/publish`, order, creation.lock_version);
}

async function add(token: string, body: object): Promise<Json> {
  return await publish(token, await write(token, "POST", "/creations", body));
}

async function furnish(): Promise<Desk> {
  const [agent, other] = [await enrol("hidden"), await enrol("citing")];
  const upload = { method: "POST", path: "/api/v1/assets", token: agent.token, key: randomUUID() } as const;
  const body = formOf("readings.csv", "station,height_m\nBremen,4.12\n");
  const asset = (await send(here.url, { ...upload, body })).json.data;
  const payload = {
    title: `Gauges of ${agent.handle}`,
    attachments: [{ asset_id: asset.id, label: "Hourly" }],
  };
  const first = await add(agent.token, { type: "dataset", section: "reports", payload });
  const again = { section: "reports", payload, change_summary: "Checked again." };
  const path = `/creations/${first.id}`;
  const saved = await write(agent.token, "PATCH", path, again, first.lock_version);
  const creation = await publish(agent.token, saved);
  const entries = [creation.id];
  await add(agent.token, { type: "collection", payload: { title: `Shelf of ${agent.handle}`, entries } });
  const references = [{ creation_id: creation.id, relation: "cites" }];
  const story = { title: `Citing ${agent.handle}`, body_markdown: "See there.", references };
  const citing = await add(other.token, { payload: story, type: "story" });
  await add(agent.token, {
    type: "story",
    payload: { title: `Second of ${agent.handle}`, body_markdown: "b", references },
  });
  const page = await send(here.url, { path: `/@${agent.handle}/${creation.slug}` });
  const card = /<meta property="og:image" content="([^"]+)">/.exec(page.text)?.[1] ?? "";
  const own = { card: new URL(card).pathname };
  const places = { ...own, ...listPlaces(agent, other.handle, { creation, citing, assetId: asset.id }) };
  return { agent, creation, firstRevision: first.published_revision.id, places };
}

/** Places that show the dataset: its own by answering, the others by naming its address. */
async function look(api: ApiProcess): Promise<string[]> {
  const address = `/@${dashboard.agent.handle}/${dashboard.creation.slug}`;
  const found = await Promise.all(
    Object.entries(dashboard.places).map(async ([place, path]) => {
      const reply = await send(api.url, { path, headers: { accept: "application/json" } });
      const shown = OWN.includes(place)
        ? reply.status === 200
        : reply.status === 200 && namesIt(reply.text, address);
      return shown ? [place] : [];
    }),
  );
  return found.flat();
}

/** The address itself, not that of another work that begins alike. */
function namesIt(text: string, address: string): boolean {
  return new RegExp(`${address}(?![\\w-])`).test(text);
}

const ALL = () => Object.keys(dashboard.places);

/** Both processes show it everywhere; after the act the other one shows it only at `left`, and so does this one. */
async function expectLeft(act: () => Promise<unknown>, left: readonly string[]): Promise<void> {
  expect(await look(here)).toEqual(ALL());
  expect(await look(there)).toEqual(ALL());
  await act();
  expect(await look(there)).toEqual(left);
  expect(await look(here)).toEqual(left);
}

const order = (path: string, body: object = {}) =>
  write(
    dashboard.agent.token,
    "POST",
    `/creations/${dashboard.creation.id}/${path}`,
    body,
    dashboard.creation.lock_version,
  );

test("unpublished by its agent: nowhere", async () => {
  await expectLeft(() => order("unpublish"), []);
});

test("unpublished by its owner: nowhere", async () => {
  await expectLeft(
    () => runCreationCommand(service.deps, COMMAND_LINE, dashboard.creation.id, "unpublish"),
    [],
  );
});

test("hidden by a moderator, and then its owner suspended: nowhere", async () => {
  const { creation, agent } = dashboard;
  const rule = (command: "hide" | "unhide") =>
    runCreationCommand(service.deps, COMMAND_LINE, creation.id, command);
  await expectLeft(() => rule("hide"), []);
  await rule("unhide");
  await expectLeft(() => runOwnerCommand(service.deps, COMMAND_LINE, agent.ownerId, "suspend"), []);
});

test("made unlisted: open at its address, listed nowhere", async () => {
  await expectLeft(() => order("visibility", { visibility: "unlisted" }), OWN);
});

test("the front page hidden: it and its feeds are closed, the works stay open; the agent suspended or archived: nowhere", async () => {
  const closed = ["front", "profile", "section", "agentFeed", "sectionFeed"];
  const left = ALL().filter((place) => !closed.includes(place));
  await expectLeft(() => runAgentCommand(service.deps, COMMAND_LINE, dashboard.agent.id, "hide"), left);
  await runAgentCommand(service.deps, COMMAND_LINE, dashboard.agent.id, "unhide");
  await expectLeft(() => runAgentCommand(service.deps, COMMAND_LINE, dashboard.agent.id, "suspend"), []);
  await runAgentCommand(service.deps, COMMAND_LINE, dashboard.agent.id, "unsuspend");
  expect(await look(there)).toEqual(ALL());
  await runAgentCommand(service.deps, COMMAND_LINE, dashboard.agent.id, "archive");
  expect(await look(there)).toEqual([]);
});

test("the content of an earlier revision removed: its page says so and shows nothing of it", async () => {
  const path = `${dashboard.places.page}/revisions/1`;
  for (const api of [here, there]) {
    const { status, text } = await send(api.url, { path });
    expect([status, text.includes("Hourly")]).toEqual([200, true]);
  }
  await removeContent(service.deps, COMMAND_LINE, dashboard.firstRevision, "moderator");
  for (const api of [there, here]) {
    const { status, text } = await send(api.url, { path });
    expect([status, text.includes("Hourly"), text.includes("The moderator removed")]).toEqual([
      200,
      false,
      true,
    ]);
    const page = await send(api.url, { path: dashboard.places.page ?? "" });
    expect(page.text).toContain("Content removed by the moderator");
    const removed = await send(api.url, { path: `${path}.json` });
    expect(removed.json.data).toMatchObject({ title: null, files: [], revision: { content_removed: true } });
    const json = await send(api.url, { path: dashboard.places.json ?? "" });
    expect(json.json.data.changes.at(-1)).toMatchObject({
      content_removed: true,
      content_removed_by: "moderator",
    });
  }
});

test("a reader who holds an ETag from before gets no 304 for what is closed", async () => {
  const paths = OWN.map((place) => dashboard.places[place] ?? "");
  const etags = await Promise.all(
    paths.map(async (path) => (await send(there.url, { path })).headers.get("etag") ?? ""),
  );
  await order("unpublish");
  for (const [at, path] of paths.entries()) {
    const headers = { "if-none-match": etags[at] ?? "" };
    expect(`${path} ${(await send(there.url, { path, headers })).status}`).toBe(`${path} 404`);
  }
});
