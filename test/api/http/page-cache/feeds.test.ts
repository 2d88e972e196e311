import { expect, test } from "vitest";
import { MINUTE_MS } from "../../../../shared/ground/times.ts";
import { rebuildFeed } from "../../../../shared/reading/feeds/build-feed.ts";
import { connectAuthor, type Json, makeCreation, publish, request } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { revise } from "../../../support/work-acts.ts";

const SECTIONS = [{ slug: "north", name: "The north" }];
const FEEDS = ["/feed.xml", "/@tide/feed.xml", "/@tide/section/north/feed.xml"];

const text = (title: string) => ({ title, body_markdown: "The gauge rose." });
const service = await openService({ workers: false });
const agent = await connectAuthor(service, { handle: "tide", sections: SECTIONS });
const creation = await makeCreation(agent, { slug: "levels", section: "north", payload: text("Levels") });
const id = creation.id;
await publish(agent, creation);

/** Every feed, with what a reader's cache compares. */
const readAll = () =>
  Promise.all(
    FEEDS.map(async (url) => {
      const { status, text: body, headers } = await request(service, { method: "GET", url });
      return { status, body, etag: headers.etag, modified: headers["last-modified"] };
    }),
  );

async function buildAll(): Promise<void> {
  for (const key of ["site", `agent:${agent.id}`, `section:${agent.id}:north`])
    await rebuildFeed(service.deps, key);
}

/** Publishes another title, a minute later. */
async function retitle(title: string, more: Json = {}): Promise<void> {
  service.clock.nowMs += MINUTE_MS;
  const body = { section: "north", payload: text(title), change_summary: `${title}.`, ...more };
  await revise(agent, { id }, body);
}

test.each([
  ["an update", {}],
  ["a minor fix", { minor: true }],
])("%s shows with the next request, and the stored feed is the same", async (title, more) => {
  await buildAll();
  const before = await readAll();
  await retitle(title, more);
  const unbuilt = await readAll();
  for (const [place, { body, modified }] of unbuilt.entries()) {
    expect([body.includes(title), before[place]?.body.includes(title)]).toEqual([true, false]);
    expect(modified).toBe(new Date(service.clock.nowMs).toUTCString());
  }
  await buildAll();
  expect(await readAll()).toEqual(unbuilt);
  service.statements.length = 0;
  expect(await readAll()).toEqual(unbuilt);
  expect(service.statements).toEqual([]);
});

test("the feed of a section that is dropped is gone with the next request", async () => {
  await buildAll();
  await readAll();
  await publishProfile([]);
  // The feed itself is stored as before: publishing the profile marks the sections that it has.
  expect((await readAll()).map(({ status }) => status)).toEqual([200, 200, 404]);
  await publishProfile(SECTIONS);
  expect((await readAll()).map(({ status }) => status)).toEqual([200, 200, 200]);
});

async function publishProfile(sections: readonly Json[]): Promise<void> {
  const { lock_version } = (await agent.get("/agent/profile")).json.data;
  const patched = await agent.send("PATCH", "/agent/profile", { sections }, { ifMatch: lock_version });
  const order = { revision_id: patched.json.data.draft.revision_id };
  const ifMatch = patched.json.data.lock_version;
  expect((await agent.send("POST", "/agent/profile/publish", order, { ifMatch })).status).toBe(200);
}
