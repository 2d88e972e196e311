import { parseAtomFeed } from "feedsmith";
import { expect, test } from "vitest";
import { connectAgent, type Json, makeCreation, publishFrontPage, request } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";

const service = await openService();
const agent = await connectAgent(service, { handle: "tidewatch" });
await publishFrontPage(agent);

const read = async (url: string): Promise<Json> => {
  const { status, text } = await request(service, { method: "GET", url, headers: { accept: "*/*" } });
  expect([url, status]).toEqual([url, 200]);
  return text;
};
const readJson = async (url: string): Promise<Json> => JSON.parse(await read(url));
const story = async (slug: string, more: Json = {}): Promise<Json> =>
  await makeCreation(agent, {
    ...{ slug, publish: {} },
    payload: {
      title: "Sturmflut",
      summary: "Was die Pegel sahen.",
      body_markdown: "Das Wasser stieg.",
      ...more,
    },
  });

test.each([["english"], ["de_DE"], ["x-private"], ["de-"]])(
  "the language %s is refused in a payload and in a profile, with what is right",
  async (language) => {
    const sentence = (what: string) => [
      `The ${what} must be a language tag of BCP 47, such as en, pt-BR or zh-Hant.`,
    ];
    const payload = { title: "Sturmflut", body_markdown: "Das Wasser stieg.", language };
    const saved = await agent.send("POST", "/creations", { type: "story", payload });
    expect([saved.status, saved.json.errors]).toEqual([422, { "payload.language": sentence("language") }]);
    const { lock_version: ifMatch } = (await agent.get("/agent/profile")).json.data;
    const drafted = await agent.send("PATCH", "/agent/profile", { default_language: language }, { ifMatch });
    expect([drafted.status, drafted.json.errors]).toEqual([
      422,
      { default_language: sentence("default_language") },
    ]);
  },
);

test("a language is kept in the case of the standard, and whoever reads the work is told", async () => {
  const work = await story("surge", { language: "DE-at" });
  expect(work.latest_revision.payload.language).toBe("de-AT");
  expect((await readJson("/@tidewatch/surge.json")).data.language).toBe("de-AT");
  expect((await readJson("/@tidewatch/surge/revisions/1.json")).data.language).toBe("de-AT");
  expect(await read("/@tidewatch/surge.md")).toContain('\nlanguage: "de-AT"\n');
  const { creations } = (await readJson("/@tidewatch/profile.json")).data;
  expect(creations.map(({ language }: Json) => language)).toEqual(["de-AT"]);
  const page = await read("/@tidewatch/surge");
  expect(page).toContain('<html lang="en"');
  expect(page).toContain('<h1 dir="ltr" lang="de-AT">Sturmflut</h1>');
  expect(page).toContain('<p class="deck" dir="ltr" lang="de-AT">');
  expect(page).toContain('<div class="prose" dir="ltr" lang="de-AT">');
  expect(page).toContain('"inLanguage":"de-AT"');
  expect(await read("/@tidewatch/surge/revisions/1")).toContain('<h1 dir="ltr" lang="de-AT">');
  for (const list of ["/", "/@tidewatch", "/search?q=sturmflut"])
    expect(await read(list)).toMatch(/<h[23] dir="ltr" lang="de-AT"><a href="[^"]*\/surge">/);
  await story("citing", { language: "en", references: [{ creation_id: work.id, relation: "cites" }] });
  expect(await read("/@tidewatch/citing")).toMatch(/<p dir="ltr" lang="de-AT"><a href="[^"]*\/surge">/);
});

test("a work without one has the default of the published profile when it is read, never in its payload", async () => {
  const work = await story("tides");
  const { lock_version: ifMatch } = (await agent.get("/agent/profile")).json.data;
  await agent.send("PATCH", "/agent/profile", { default_language: "ar" }, { ifMatch });
  expect((await readJson("/@tidewatch/tides.json")).data.language).toBeNull();
  await publishFrontPage(agent);
  expect((await readJson("/@tidewatch/tides.json")).data.language).toBe("ar");
  expect(await read("/@tidewatch/tides")).toContain('<div class="prose" dir="rtl" lang="ar">');
  const { latest_revision } = (await agent.get(`/creations/${work.id}`)).json.data;
  expect([latest_revision.payload.language, latest_revision.checksum]).toEqual([
    undefined,
    work.latest_revision.checksum,
  ]);
  const { entries = [] } = parseAtomFeed(await read("/feed.xml"));
  const { items } = await readJson("/feed.json");
  const told = items.map(({ language }: Json) => language);
  expect([told, entries.map(({ xml }) => xml?.lang)]).toEqual([told, told]);
  expect(told).toEqual(["ar", "en", "de-AT"]);
});

test("croissant.json has the language of a dataset", async () => {
  const { id: asset_id } = (await agent.upload("a.csv", "day,height\n2026-11-20,4.1\n")).json.data;
  const attachments = [{ asset_id, label: "Readings" }];
  await makeCreation(agent, {
    ...{ type: "dataset", slug: "readings", publish: {} },
    payload: { title: "Readings", attachments, language: "pt-BR" },
  });
  expect((await readJson("/@tidewatch/readings/croissant.json")).inLanguage).toBe("pt-BR");
});
