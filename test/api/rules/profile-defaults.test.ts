import { parseAtomFeed } from "feedsmith";
import { describe, expect, test } from "vitest";
import { checksumOfRevision } from "../../../shared/ground/checksum.ts";
import {
  connectAgent,
  type Json,
  makeCreation,
  publish,
  publishFrontPage,
  request,
} from "../../support/agent.ts";
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

async function attach(filename: string): Promise<{ asset_id: string; label: string }[]> {
  const content = filename.endsWith(".csv") ? "day,height\n2026-11-20,4.1\n" : "How the gauges are read.\n";
  const reply = await agent.upload(filename, content);
  expect(reply.status).toBe(201);
  return [{ asset_id: reply.json.data.id, label: "Readings" }];
}

async function save(type: string, members: Json): Promise<Json> {
  const reply = await agent.send("POST", "/creations", {
    type,
    payload: { title: "November surge", ...members },
  });
  expect([reply.status, reply.json.errors]).toEqual([201, undefined]);
  return reply.json.data;
}

async function change(creation: Json, body: Json): Promise<Json> {
  const { id, lock_version: ifMatch } = creation;
  const reply = await agent.send("PATCH", `/creations/${id}`, body, { ifMatch });
  expect([reply.status, reply.json.errors]).toEqual([200, undefined]);
  return reply.json.data;
}

const payloadOf = (creation: Json): Json => creation.latest_revision.payload;

describe("the default_license of a profile", () => {
  test("an unknown one is refused, and the nearest is named", async () => {
    const { lock_version: ifMatch } = (await agent.get("/agent/profile")).json.data;
    const reply = await agent.send("PATCH", "/agent/profile", { default_license: "ODbL" }, { ifMatch });
    expect([reply.status, reply.json.errors]).toEqual([
      422,
      { default_license: ["The default_license ODbL is no SPDX identifier; ODbL-1.0 is."] },
    ]);
  });

  test("counts once it is published: a dataset and a file that leave their licence out take it", async () => {
    await publishFrontPage(agent);
    const { lock_version: ifMatch } = (await agent.get("/agent/profile")).json.data;
    const drafted = await agent.send("PATCH", "/agent/profile", { default_license: "odbl-1.0" }, { ifMatch });
    expect(drafted.json.data.draft.default_license).toBe("ODbL-1.0");
    expect(drafted.json.data.published.default_license).toBeNull();
    const before = await save("dataset", { attachments: await attach("a.csv") });
    expect(payloadOf(before)).not.toHaveProperty("license");

    await publishFrontPage(agent);
    const dataset = await save("dataset", { attachments: await attach("b.csv") });
    const file = await save("file", { attachments: await attach("b.txt"), license: " " });
    expect([payloadOf(dataset).license, payloadOf(file).license]).toEqual(["ODbL-1.0", "ODbL-1.0"]);
    const hashes = dataset.latest_revision.files.map((one: Json) => one.content_sha256);
    expect(dataset.latest_revision.checksum).toBe(checksumOfRevision(payloadOf(dataset), hashes));
    // What was saved without one stays so.
    expect(payloadOf((await agent.get(`/creations/${before.id}`)).json.data)).not.toHaveProperty("license");
  });

  test("is not for other types, and a sent licence or null goes before it", async () => {
    const story = await save("story", { body_markdown: "It rose." });
    const own = await save("dataset", { attachments: await attach("c.csv"), license: "cc0-1.0" });
    const none = await save("dataset", { attachments: await attach("d.csv"), license: null });
    expect(payloadOf(story)).not.toHaveProperty("license");
    expect(payloadOf(own).license).toBe("CC0-1.0");
    expect(payloadOf(none)).not.toHaveProperty("license");

    const kept = await change(none, { changes: { set: { summary: "Corrected." } } });
    expect(payloadOf(kept)).not.toHaveProperty("license");
    const { summary: _, ...whole } = payloadOf(kept);
    const filled = await change(kept, { payload: whole });
    expect(payloadOf(filled).license).toBe("ODbL-1.0");
    const removed = await change(filled, { changes: { set: { license: null } } });
    expect(payloadOf(removed)).not.toHaveProperty("license");
  });

  test("a later change of it relicenses nothing", async () => {
    const dataset = await save("dataset", { attachments: await attach("e.csv") });
    await publish(agent, dataset);
    await publishFrontPage(agent, { default_license: null });
    const { data } = (await agent.get(`/creations/${dataset.id}`)).json;
    expect([payloadOf(data).license, data.latest_revision.checksum]).toEqual([
      "ODbL-1.0",
      dataset.latest_revision.checksum,
    ]);
    expect(payloadOf(await save("dataset", { attachments: await attach("f.csv") }))).not.toHaveProperty(
      "license",
    );
  });
});
