import { ulid } from "ulid";
import { expect, test } from "vitest";
import { toIso } from "../../../shared/ground/times.ts";
import { COMMAND_LINE } from "../../../shared/identity/audit/record-act.ts";
import { listConnections } from "../../../shared/identity/oauth/grants.ts";
import { sendTest } from "../../../shared/trust/webhooks/ask-receiver.ts";
import { listPreviewsOfWork } from "../../../shared/works/previews/preview-links.ts";
import { listDeliveries } from "../../../sql/trust/webhook-deliveries.ts";
import {
  connectAgent,
  connectAuthor,
  type Json,
  makeCreation,
  publish,
  publishFrontPage,
  publishNew,
  type TestAgent,
} from "../../support/agent.ts";
import { connectClient } from "../../support/oauth.ts";
import { makeWebhook } from "../../support/own-webhooks.ts";
import { openDashboard } from "../../support/owner-dashboard.ts";
import { openService } from "../../support/service.ts";
import { runSql } from "../../support/tables.ts";
import { insertCreations, insertRevisions } from "./many-creations.ts";

const MANY = 2000;
const service = await openService({
  workers: false,
  limits: { creations: MANY + 10, revisionsPerCreation: 1010 },
});
const rich = await connectAgent(service);
const poor = await connectAgent(service);
for (const agent of [rich, poor]) await publishFrontPage(agent);
const longId = (await makeCreation(rich, { slug: "long" })).id;
await insertRevisions(service, longId, 1000);
await insertCreations(service, rich.id, MANY - 1);
for (let count = 0; count < 3; count++) await publishNew(poor);

async function read(agent: TestAgent, path: string): Promise<{ json: Json }> {
  const { status, json } = await agent.get(path);
  expect(status).toBe(200);
  return { json };
}

test("a thousand revisions are listed in pages, without their payloads", async () => {
  const list = (await read(rich, `/creations/${longId}/revisions?per_page=100&page=10`)).json;
  expect(list.meta).toMatchObject({ total: 1000, last_page: 10, from: 901, to: 1000 });
  expect(list.data.map((revision: Json) => revision.revision_number)).toEqual(
    Array.from({ length: 100 }, (_, n) => 100 - n),
  );
  expect("payload" in list.data[0]).toBe(false);
});

test("every page together is every creation once, newest first", async () => {
  const seen: Json[] = [];
  for (let page = 1; page <= 20; page++)
    seen.push(...(await rich.get(`/creations?per_page=100&page=${page}`)).json.data);
  expect(new Set(seen.map((one) => one.id)).size).toBe(MANY);
  const timestamps = seen.map((one) => `${one.created_at} ${one.id}`);
  expect(timestamps).toEqual([...timestamps].sort().reverse());
  expect(seen[0].id).toBe(longId);
});

const FILTERS: [query: string, total: number, holds: (one: Json) => boolean][] = [
  ["visibility=public", 499, (one) => one.visibility === "public" && one.public_url !== null],
  ["visibility=unlisted", 500, (one) => one.visibility === "unlisted"],
  ["visibility=private", 1001, (one) => one.visibility === "private" && one.public_url === null],
  ["state=draft", 501, (one) => one.review_state === "draft"],
  ["state=submitted", 250, (one) => one.latest_revision.state === "submitted"],
  ["state=changes_requested", 250, (one) => one.review_state === "changes_requested"],
  ["state=published", 999, (one) => one.published_revision.state === "published"],
  ["visibility=private&state=published", 0, () => false],
];

test.each(FILTERS)("%s lists what it says, and its links say it again", async (query, total, holds) => {
  const { json } = await read(rich, `/creations?${query}&per_page=7&page=2`);
  const lastPage = Math.max(1, Math.ceil(total / 7));
  expect(json.data.every(holds)).toBe(true);
  expect(json.meta).toEqual({
    current_page: 2,
    from: total === 0 ? null : 8,
    last_page: lastPage,
    path: "http://localhost:3000/api/v1/creations",
    per_page: 7,
    to: total === 0 ? null : 14,
    total,
  });
  const link = (page: number) => `http://localhost:3000/api/v1/creations?${query}&per_page=7&page=${page}`;
  expect(json.links).toEqual({
    first: link(1),
    last: link(lastPage),
    prev: link(1),
    next: total === 0 ? null : link(3),
  });
});

test.each([
  ["per_page=101", 100],
  ["per_page=999999999", 100],
  ["per_page=1000000000000", 100],
  [`per_page=${"9".repeat(40)}`, 100],
  ["per_page=1", 1],
  ["page=1", 20],
])("%s shows %i a page", async (query, perPage) => {
  const { json } = await read(rich, `/creations?${query}`);
  expect([json.data.length, json.meta.per_page]).toEqual([perPage, perPage]);
  expect((await read(rich, `/creations/${longId}/revisions?${query}`)).json.meta.per_page).toBe(perPage);
});

test("a page past the end is empty and still tells how many there are", async () => {
  const { json } = await read(rich, "/creations?per_page=100&page=21");
  expect(json).toMatchObject({ data: [], meta: { from: null, to: null, total: MANY, last_page: 20 } });
  expect(json.links).toMatchObject({ next: null, prev: expect.stringContaining("page=20") });
  const revisions = (await read(rich, `/creations/${longId}/revisions?page=400`)).json;
  expect(revisions).toMatchObject({ data: [], meta: { total: 1000, from: null } });
});

test.each(["2147483648", "9999999999", "9".repeat(40)])("page %s is one past the end", async (page) => {
  for (const path of ["/creations", `/creations/${longId}/revisions`]) {
    const { json } = await read(rich, `${path}?page=${page}`);
    expect(json).toMatchObject({ data: [], meta: { from: null, to: null }, links: { next: null } });
  }
});

test.each([
  ["per_page=0", "per_page"],
  ["per_page=-1", "per_page"],
  ["per_page=ten", "per_page"],
  ["per_page=1.5", "per_page"],
  ["per_page=", "per_page"],
  ["per_page=5&per_page=6", "per_page"],
  ["page=0", "page"],
  ["page=last", "page"],
  ["state=archived", "state"],
  ["visibility=hidden", "visibility"],
  ["visibility=%FF", "visibility"],
  ["visibility[]=public", "visibility"],
  ["state=draft&state=published", "state"],
  ["order=title", "order"],
])("%s is 422 on it", async (query, field) => {
  const reply = await rich.get(`/creations?${query}`);
  expect([reply.status, reply.json.code, Object.keys(reply.json.errors)]).toEqual([
    422,
    "validation_failed",
    [field],
  ]);
});

/** A creation whose latest revision was saved before review was removed. */
async function findOld(state: string): Promise<Json> {
  const [one] = (await rich.get(`/creations?state=${state}&per_page=1`)).json.data;
  return (await rich.get(`/creations/${one.id}`)).json.data;
}

test.each(["submitted", "changes_requested"])(
  "a revision that is %s publishes like a draft",
  async (state) => {
    const old = await findOld(state);
    expect([old.review_state, old.latest_revision.state, old.published_revision]).toEqual([
      state,
      state,
      null,
    ]);
    const summary = (await rich.get(`/creations/${old.id}/revisions`)).json.data[0];
    expect(summary).toMatchObject({ state, published_at: null, url: null });
    const live = await publish(rich, old);
    expect(live).toMatchObject({ review_state: "published", visibility: "public", lock_version: 2 });
    expect(live.published_revision.id).toBe(old.latest_revision.id);
  },
);

test.each(["submitted", "changes_requested"])(
  "a PATCH of a creation that is %s makes a draft beside it, and a schedule takes it",
  async (state) => {
    const old = await findOld(state);
    const publish_at = new Date(service.clock.nowMs + 60_000).toISOString();
    const order = { revision_id: old.latest_revision.id, publish_at };
    const scheduled = await rich.send("POST", `/creations/${old.id}/schedule`, order, { ifMatch: 1 });
    expect(scheduled.json.data.scheduled_publication.status).toBe("pending");
    const body = { payload: { title: "Row", body_markdown: "New." } };
    const saved = await rich.send("PATCH", `/creations/${old.id}`, body, { ifMatch: 2 });
    expect(saved.json.data).toMatchObject({ review_state: "draft", latest_revision: { revision_number: 2 } });
    const states = (await rich.get(`/creations/${old.id}/revisions`)).json.data.map((one: Json) => one.state);
    expect(states).toEqual(["draft", state]);
    const restored = await rich.send(
      "POST",
      `/creations/${old.id}/restore`,
      { revision_id: old.latest_revision.id },
      { ifMatch: 3 },
    );
    expect(restored.json.code).toBe("not_published");
  },
);

test("what is listed by its time keeps to it where ids do not tell it, as where the clock stood back", async () => {
  const owner = await openDashboard(service);
  const { id } = await connectAuthor(service, { ownerId: owner.ownerId });
  const work = await makeCreation(rich);
  const webhook = await makeWebhook(service, { ownerId: owner.ownerId, url: "https://example.org/" });
  await runSql(service, "UPDATE webhooks SET status = 'active'");
  const { deps } = service;
  const usual = deps.newId;
  let idMs = deps.now();
  deps.newId = () => ulid(--idMs);
  for (let count = 0; count < 3; count++) {
    service.clock.nowMs += 1_000;
    expect((await rich.send("POST", `/creations/${work.id}/preview`, undefined)).status).toBe(201);
    await connectClient(service, owner, id);
    await sendTest(deps, COMMAND_LINE, { ownerId: null, id: webhook.id });
  }
  deps.newId = usual;
  const times = {
    previews: (await listPreviewsOfWork(deps, work.id)).map(({ made_at }) => made_at),
    connections: (await listConnections(deps, id)).map(({ created_at }) => created_at),
    deliveries: (await listDeliveries(deps.pool, webhook.id, 3)).map(({ created_at }) => toIso(created_at)),
  };
  for (const [name, listed] of Object.entries(times))
    expect([name, listed]).toEqual([name, [...new Set(listed)].toSorted().toReversed()]);
});
