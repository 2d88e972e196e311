import { expect, test } from "vitest";
import { sweepExpiredRows } from "../../../../shared/care/sweeps.ts";
import { type Json, publishFrontPage, request } from "../../../support/agent.ts";
import { TEST_START_MS } from "../../../support/service.ts";
import { revise } from "../../../support/work-acts.ts";
import {
  openArtworkSite,
  publishStory as publishBy,
  readArt as readArtFrom,
  read as readFrom,
} from "./artwork-site.ts";

const DAY_MS = 24 * 3600_000;
const PNG_SIGNATURE = "89504e470d0a1a0a";

const { service, agent } = await openArtworkSite();

const read = (url: string, headers: Record<string, string> = {}) => readFrom(service, url, headers);
const readArt = (url: string) => readArtFrom(service, url);
const publishStory = (title: string, more: Json = {}) => publishBy(agent, title, more);

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

test("a picture is drawn for each reader, and the same ever after", async () => {
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
  await revise(agent, story, body);
  expect((await readArt(`/@tidewatch/${story.slug}`)).card).not.toBe(card);
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

test("a picture in whose place another stands goes after thirty days, and comes back with its design", async () => {
  const first = (await readArt("/@tidewatch")).avatar ?? "";
  const design = { colors: ["#0b3d5c", "#e8f1f5"], pattern: "waves" };
  await publishFrontPage(agent, { design });
  const second = (await readArt("/@tidewatch")).avatar ?? "";
  expect(second).not.toBe(first);
  await sweepExpiredRows(service.deps);
  expect((await read(first)).statusCode).toBe(200);
  service.clock.nowMs = TEST_START_MS + 30 * DAY_MS + 1;
  expect((await sweepExpiredRows(service.deps)).purged_artworks).toBeGreaterThan(0);
  expect((await read(first)).statusCode).toBe(404);
  expect((await read(second)).statusCode).toBe(200);
  await publishFrontPage(agent, { design: null });
  expect((await readArt("/@tidewatch")).avatar).toBe(first);
  expect((await read(first)).statusCode).toBe(200);
});

test("many readers at once of a card all get the same one", async () => {
  const story = await publishStory("Crowd");
  const { card } = await readArt(`/@tidewatch/${story.slug}`);
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => request(service, { method: "GET", url: card })),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
});
