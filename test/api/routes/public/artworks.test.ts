import { afterAll, beforeAll, expect, test } from "vitest";
import { runAgentCommand } from "../../../../shared/agents/agent-states.ts";
import { COMMAND_LINE } from "../../../../shared/audit/record-act.ts";
import { removeContent, runCreationCommand } from "../../../../shared/creations/take-down.ts";
import { sweepReplacedArtworks } from "../../../../shared/drawings/artworks.ts";
import { switchTopic } from "../../../../shared/search/topics.ts";
import {
  connectAgent,
  type Json,
  makeCreation,
  publish,
  publishFrontPage,
  request,
  type TestAgent,
} from "../../../support/agent.ts";
import { openService, TEST_START_MS, type TestService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";

let service: TestService;
let agent: TestAgent;
const DAY_MS = 24 * 3600_000;
const PNG_SIGNATURE = "89504e470d0a1a0a";

// Without workers: every picture here is drawn by its first reader.
beforeAll(async () => {
  service = await openService({ workers: false });
  agent = await connectAgent(service, { handle: "tidewatch" });
  await publishFrontPage(agent);
});
afterAll(async () => {
  await service.close();
});

async function read(url: string, headers: Record<string, string> = {}) {
  return await service.app.inject({ method: "GET", url, headers });
}

async function readArt(url: string): Promise<{ cover: string | null; avatar: string | null; card: string }> {
  const page = (await read(url)).body;
  const find = (pattern: RegExp) => pattern.exec(page)?.[1] ?? null;
  return {
    cover: find(/<img class="cover" src="([^"]+)"/),
    avatar: find(/<img class="avatar" src="([^"]+)"/),
    card: new URL(find(/<meta property="og:image" content="([^"]+)"/) ?? "").pathname,
  };
}

async function publishStory(title: string, more: Json = {}): Promise<Json> {
  return await publish(
    agent,
    await makeCreation(agent, { payload: { title, body_markdown: "Water.", ...more } }),
  );
}

test("a story's page asks for itself, the sheet and its cover, and names its card for previews", async () => {
  const story = await publishStory("Quiet water");
  const page = (await read(`/@tidewatch/${story.slug}`)).body;
  const asked = [
    ...page.matchAll(/<(?:img|script|iframe)[^>]* src="([^"]+)"|<link rel="stylesheet" href="([^"]+)"/g),
  ];
  expect(asked.map(([, source, sheet]) => source ?? sheet)).toEqual([
    expect.stringMatching(/^\/style-[0-9a-f]+\.css$/),
    expect.stringMatching(/^\/art\/[0-9a-f]{64}\.svg$/),
  ]);
  expect(page).toMatch(
    /<meta property="og:image" content="http:\/\/localhost:3000\/art\/[0-9a-f]{64}\.png">/,
  );
  expect(page).toContain('<meta property="og:image:width" content="1200">');
  expect(page).toContain('<meta property="og:image:height" content="630">');
  expect(page).toContain('<meta property="og:image:alt" content="Quiet water, by ');
  expect(page).toContain('<meta name="twitter:card" content="summary_large_image">');
  expect(page).toContain('<svg class="avatar"');
});

test("a picture that nobody has drawn is drawn for its first reader, kept, and the same ever after", async () => {
  const story = await publishStory("First reader");
  const { cover, card } = await readArt(`/@tidewatch/${story.slug}`);
  const svg = await read(cover ?? "");
  expect(svg.statusCode).toBe(200);
  expect(svg.headers["content-type"]).toBe("image/svg+xml; charset=utf-8");
  expect(svg.body).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="1200" height="300"/);
  const png = await read(card);
  expect(png.headers["content-type"]).toBe("image/png");
  expect(png.rawPayload.subarray(0, 8).toString("hex")).toBe(PNG_SIGNATURE);
  expect([png.rawPayload.readUInt32BE(16), png.rawPayload.readUInt32BE(20)]).toEqual([1200, 630]);
  expect((await read(cover ?? "")).body).toBe(svg.body);
  expect((await read(card)).rawPayload.equals(png.rawPayload)).toBe(true);
  expect((await read(card.replace(".png", ".svg"))).body).not.toContain("<text");
});

test("caches keep a picture for a day; it is read from elsewhere, and runs nothing where one is opened alone", async () => {
  const { avatar } = await readArt("/@tidewatch");
  const { headers } = await read(avatar ?? "");
  const etag = `"${avatar?.slice(5, 69)}"`;
  expect(headers).toMatchObject({
    "cache-control": "public, max-age=86400",
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
    etag,
  });
  expect(headers["set-cookie"]).toBeUndefined();
  const known = await read(avatar ?? "", { "if-none-match": etag });
  expect([known.statusCode, known.body]).toEqual([304, ""]);
});

test("another title is drawn under another address", async () => {
  const story = await publishStory("Low water");
  const { card } = await readArt(`/@tidewatch/${story.slug}`);
  const body = {
    payload: { ...story.latest_revision.payload, title: "High water" },
    change_summary: "Title",
  };
  const saved = await agent.send("PATCH", `/creations/${story.id}`, body, { ifMatch: story.lock_version });
  await publish(agent, saved.json.data);
  expect((await readArt(`/@tidewatch/${story.slug}`)).card).not.toBe(card);
});

const cardPath = async (url: string) =>
  new URL(/<meta property="og:image" content="([^"]+)"/.exec((await read(url)).body)?.[1] ?? "").pathname;
const statusOf = async (url: string) => (await read(url)).statusCode;

test("the site's own pages have a card each, the same at every look, which nothing replaces", async () => {
  const pages = ["/", "/search", "/docs", "/docs/charts", "/topics/climate"];
  const cards = await Promise.all(pages.map(cardPath));
  expect(new Set(cards).size).toBe(pages.length);
  for (const card of cards) expect(await statusOf(card)).toBe(200);
  expect(await cardPath("/search?query=tide&page=2")).toBe(cards[1]);
  expect(await Promise.all(pages.map(cardPath))).toEqual(cards);
  expect(
    await runSql(service, "SELECT place FROM artworks WHERE agent_id IS NULL AND replaced_at IS NOT NULL"),
  ).toEqual([]);
});

test("the card of a topic is shut with the topic", async () => {
  const card = await cardPath("/topics/energy");
  await switchTopic(service.deps, COMMAND_LINE, "energy", false);
  expect([await statusOf("/topics/energy"), await statusOf(card)]).toEqual([404, 404]);
  await switchTopic(service.deps, COMMAND_LINE, "energy", true);
  expect(await statusOf(card)).toBe(200);
});

test("a section's card tells its name, and is shut with the section and with the front page", async () => {
  const north = { slug: "north", name: "The north" };
  await publishFrontPage(agent, { sections: [north, { slug: "south", name: "The north" }] });
  const [card, other] = [
    await cardPath("/@tidewatch/section/north"),
    await cardPath("/@tidewatch/section/south"),
  ];
  expect(new Set([card, other, await cardPath("/@tidewatch")]).size).toBe(3);
  await publishFrontPage(agent, { sections: [{ ...north, name: "Far north" }] });
  const renamed = await cardPath("/@tidewatch/section/north");
  expect(renamed).not.toBe(card);
  expect([await statusOf(renamed), await statusOf(other)]).toEqual([200, 404]);
  await runAgentCommand(service.deps, COMMAND_LINE, agent.id, "hide");
  expect(await statusOf(renamed)).toBe(404);
  await runAgentCommand(service.deps, COMMAND_LINE, agent.id, "unhide");
});

test("an owner's card is the same for all: an alias may be hidden again", async () => {
  await runSql(service, "UPDATE owners SET alias = 'Harbour Desk', show_alias = true WHERE id = $1", [
    agent.ownerId,
  ]);
  const card = await cardPath("/owners/harbour%20desk");
  expect(
    await runSql(service, "SELECT 1 FROM artworks WHERE hash = $1 AND recipe::text ILIKE '%harbour%'", [
      card.slice(5, 69),
    ]),
  ).toEqual([]);
  await runSql(service, "UPDATE owners SET show_alias = false WHERE id = $1", [agent.ownerId]);
});

test("the pages of a work's revisions have the work's card", async () => {
  const story = await publishStory("Of one card");
  const card = await cardPath(`/@tidewatch/${story.slug}`);
  for (const page of ["revisions", "revisions/1"]) {
    expect(await cardPath(`/@tidewatch/${story.slug}/${page}`)).toBe(card);
  }
});

test("an unknown hash, and what is no hash, is not found", async () => {
  for (const name of [
    `${"0".repeat(64)}.svg`,
    `${"0".repeat(64)}.png`,
    "x.svg",
    `${"0".repeat(63)}.png`,
    "a.gif",
  ]) {
    expect((await read(`/art/${name}`)).statusCode).toBe(404);
  }
});

test("a front page shows cover and avatar, and covers for the works that lead", async () => {
  const page = (await read("/@tidewatch")).body;
  const { cover, avatar, card } = await readArt("/@tidewatch");
  for (const url of [cover, avatar, card]) expect((await read(url ?? "")).statusCode).toBe(200);
  const covers = /<(?:div class="front[\w ]*"|article class="card")><img class="cover"/g;
  // The works without a design of their own would repeat the cover above them; beside others' work they do not.
  expect(page.match(covers)).toBeNull();
  const home = (await read("/")).body;
  expect(home.match(covers)?.length).toBeGreaterThanOrEqual(2);
  const design = { colors: ["#102030", "#f0e0d0"], pattern: "grid" };
  await publishStory("Of its own design", { design });
  expect((await read("/@tidewatch")).body.match(covers)).toHaveLength(1);
  expect(home).toContain(`<img class="avatar" src="${avatar}"`);
  expect((await read("/search?query=tidewatch")).body).toContain(`src="${avatar}"`);
});

test("a creation's own design draws its cover; without one the publication's does, with the creation as seed", async () => {
  const design = { colors: ["#102030", "#f0e0d0"], pattern: "stripes", seed: 5 };
  const own = await publishStory("Own design", { design });
  const own2 = await publishStory("Own design too", { design });
  const [one, two] = [await publishStory("One"), await publishStory("Two")];
  const svgOf = async (slug: string) => (await read((await readArt(`/@tidewatch/${slug}`)).cover ?? "")).body;
  const [a, b, c, d] = await Promise.all([own, own2, one, two].map(({ slug }) => svgOf(slug)));
  expect(a).toContain("#102030");
  expect(b).toBe(a);
  expect(c).not.toBe(d);
  const colorsOf = (svg = "") => new Set(svg.match(/#[0-9a-f]{6}/g));
  const front = (await read((await readArt("/@tidewatch")).cover ?? "")).body;
  const shared = [...colorsOf(c)].filter((color) => colorsOf(front).has(color));
  expect(shared.length).toBeGreaterThanOrEqual(2);
});

test("the card of what is hidden or taken off the site cannot be opened any more", async () => {
  const story = await publishStory("Now you see it");
  const { cover, card } = await readArt(`/@tidewatch/${story.slug}`);
  const statuses = async () => [(await read(cover ?? "")).statusCode, (await read(card)).statusCode];
  expect(await statuses()).toEqual([200, 200]);
  await runCreationCommand(service.deps, COMMAND_LINE, story.id, "hide");
  expect(await statuses()).toEqual([404, 404]);
  await runCreationCommand(service.deps, COMMAND_LINE, story.id, "unhide");
  expect(await statuses()).toEqual([200, 200]);
  await runCreationCommand(service.deps, COMMAND_LINE, story.id, "unpublish");
  expect(await statuses()).toEqual([404, 404]);
  expect(await runSql(service, "SELECT 1 FROM artworks WHERE creation_id = $1", [story.id])).toEqual([]);
});

test("removing a revision's content removes the card that tells its title", async () => {
  const story = await publishStory("A title to remove");
  const { card } = await readArt(`/@tidewatch/${story.slug}`);
  const later = await agent.send(
    "PATCH",
    `/creations/${story.id}`,
    { payload: { title: "A better title", body_markdown: "Water." }, change_summary: "New title." },
    { ifMatch: story.lock_version },
  );
  await publish(agent, later.json.data);
  expect((await read(card)).statusCode).toBe(200);
  await removeContent(service.deps, COMMAND_LINE, story.latest_revision.id, "owner");
  expect((await read(card)).statusCode).toBe(404);
  const anew = (await readArt(`/@tidewatch/${story.slug}`)).card;
  expect(anew).not.toBe(card);
  expect((await read(anew)).statusCode).toBe(200);
});

test("a picture in whose place another stands goes after thirty days, and comes back with its design", async () => {
  const first = (await readArt("/@tidewatch")).avatar ?? "";
  const design = { colors: ["#0b3d5c", "#e8f1f5"], pattern: "waves" };
  await publishFrontPage(agent, { design });
  const second = (await readArt("/@tidewatch")).avatar ?? "";
  expect(second).not.toBe(first);
  await sweepReplacedArtworks(service.deps);
  expect((await read(first)).statusCode).toBe(200);
  service.clock.nowMs = TEST_START_MS + 30 * DAY_MS + 1;
  expect(await sweepReplacedArtworks(service.deps)).toBeGreaterThan(0);
  expect((await read(first)).statusCode).toBe(404);
  expect((await read(second)).statusCode).toBe(200);
  await publishFrontPage(agent, { design: null });
  expect((await readArt("/@tidewatch")).avatar).toBe(first);
  expect((await read(first)).statusCode).toBe(200);
});

test("many readers at once of a card that is not drawn all get the same one", async () => {
  const story = await publishStory("Crowd");
  const { card } = await readArt(`/@tidewatch/${story.slug}`);
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => request(service, { method: "GET", url: card })),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
});
