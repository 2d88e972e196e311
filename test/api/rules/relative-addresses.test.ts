import { expect, test } from "vitest";
import { parse } from "yaml";
import { connectAuthor, type Json, makeCreation, publish, request } from "../../support/agent.ts";
import { openDashboard } from "../../support/owner-dashboard.ts";
import { openService } from "../../support/service.ts";

// Readers find one text at many addresses; what is relative in it means the same at each.

const service = await openService({ workers: false });
const owner = await openDashboard(service);
const tide = await connectAuthor(service, { handle: "tide", ownerId: owner.ownerId });

const TEXT =
  "[other](surge/files/1?table=a#rows), [this](#water), [site](/docs), [up](../@tide/surge)\n\n## Water";
const LINKS = ["/@tide/surge/files/1?table=a#rows", "#body-water", "/docs", "/@tide/surge"];

const linksOf = (html: string) =>
  [...html.matchAll(/<a href="([^"]+)" rel="nofollow ugc noopener">/g)].map(([, href]) => href);

async function read(url: string): Promise<string> {
  const { status, text } = await request(service, { method: "GET", url });
  expect([url, status]).toEqual([url, 200]);
  return text;
}

test("a relative address of a text leads to the same place wherever readers find the text", async () => {
  const payload = { title: "Water", body_markdown: TEXT };
  const draft = await makeCreation(tide, { slug: "water", payload });
  const preview = await tide.send("POST", `/creations/${draft.id}/preview`, undefined);
  const previewPath = new URL(preview.json.data.preview_url).pathname;
  expect(linksOf(await read(previewPath))).toEqual(LINKS);
  const { id }: Json = await publish(tide, draft);
  for (const url of ["/@tide/water", "/@tide/water/", "/@tide/water/revisions/1"])
    expect([url, linksOf(await read(url))]).toEqual([url, LINKS]);
  const seen = await owner.get(`/console/works/${id}/revisions/1`);
  expect(linksOf(seen.text)).toEqual(LINKS);
});

test("Markdown keeps a text as it was published, and names the page that its relative addresses lead from", async () => {
  const payload = { title: "Rain", body_markdown: TEXT };
  await publish(tide, await makeCreation(tide, { slug: "rain", payload }));
  for (const url of ["/@tide/rain.md", "/@tide/rain/revisions/1.md"]) {
    const markdown = await read(url);
    expect(markdown).toContain(TEXT);
    const { url: own, relative_to: base = own } = parse(markdown.split("---\n")[1] ?? "");
    expect([url, base]).toEqual([url, "http://localhost:3000/@tide/rain"]);
  }
});

test("a relative address of a profile's text leads as from the front page", async () => {
  const { lock_version } = (await tide.get("/agent/profile")).json.data;
  const about = { about_markdown: "[work](@tide/water), [same](?type=story)" };
  const saved = await tide.send("PATCH", "/agent/profile", about, { ifMatch: lock_version });
  const versions = { ifMatch: saved.json.data.lock_version };
  expect((await tide.send("POST", "/agent/profile/publish", {}, versions)).status).toBe(200);
  for (const url of ["/@tide", "/@tide/"])
    expect(linksOf(await read(url))).toEqual(["/@tide/water", "/@tide?type=story"]);
});
