import { expect, test } from "vitest";
import { measureAsset } from "../../../../shared/datasets/uploads/statistics.ts";
import { connectAuthor, makeCreation, publish, request } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { SCRIPT_PAYLOADS } from "../../../support/script-payloads.ts";
import { openService } from "../../../support/service.ts";
import { act, revise } from "../../../support/work-acts.ts";
import { call } from "../../mcp/rpc.ts";
import { readAttribute, readPage } from "../../pages/dom.ts";
import { DICTIONARY, makeReadings, saveOne, uploadBoth } from "./datasets.ts";

const service = await openService({ workers: false });
const agent = await connectAuthor(service);
const files = await uploadBoth(service, agent);
for (const { id } of Object.values(files)) await measureAsset(service.deps, service.threads, id);
const work = await publish(agent, await makeReadings(agent, files, DICTIONARY));

const get = async (url: string) => await request(service, { method: "GET", url });
const at = (end: string) => `/@${agent.handle}/${work.slug}${end}`;
const textOf = (page: string) => page.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

test("the page shows titles, units and descriptions, and how many rules hold", async () => {
  const page = (await get(at(""))).text;
  expect(textOf(page)).toContain("7 rules hold for all 4 rows.");
  expect(textOf(page)).toMatch(
    /height_m number Water level , m Above the zero of the gauge\. Stands for blank: -999/,
  );
  expect(page).toContain(`${at("/files/1")}"`);
});

test("the links of a table's page keep what is asked to count as blank, and name nothing where the dictionary says it", async () => {
  const open = async (query: string) => {
    const page = (await get(at(`/files/1${query}`))).text;
    const links = readPage(page).all("a");
    const hrefs = links.map((link) => readAttribute(link, "href") ?? "");
    return { page, words: textOf(page), asks: hrefs.filter((href) => /^[?]/.test(href)), hrefs };
  };
  const dictionarys = "blank%5B%5D=-999";
  const first = await open("");
  expect(first.words).not.toContain("counts as blank");
  expect(first.hrefs.filter((href) => href.includes("blank"))).toEqual([]);
  const sorted = await open("?sort[0][column]=height_m");
  expect(sorted.page.indexOf(">3.5")).toBeLessThan(sorted.page.indexOf(">-999"));
  // Another work with the file may say something else of it, so the data are asked for with what this one says.
  const data = sorted.hrefs.filter((href) => href.includes("/query"));
  expect(data.filter((href) => !href.includes("blank%5B0%5D%5Bcolumn%5D=height_m"))).toEqual([]);

  const asked = await open("?blank[]=-999&blank[]=H&sort[0][column]=height_m");
  expect(asked.words).toContain("“-999” counts as blank");
  const kept = asked.asks.filter((href) => !href.startsWith("?row=") && !href.includes(dictionarys));
  // The one link that takes it away.
  expect(kept).toHaveLength(1);
  expect(asked.hrefs.filter((href) => href.includes("/query?") && !href.includes(dictionarys))).toEqual([]);
  expect(sorted.asks.filter((href) => href.includes("blank"))).toEqual([]);
});

test("the page's JSON-LD names units with their codes, and the range of the cells that are left", async () => {
  const page = (await get(at(""))).text;
  const [, json = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? [];
  expect(JSON.parse(json).variableMeasured).toContainEqual({
    "@type": "PropertyValue",
    name: "height_m",
    alternateName: "Water level",
    description: "Above the zero of the gauge.",
    unitText: "m",
    unitCode: "UCUM:m",
    ...{ minValue: 3.5, maxValue: 41.2 },
  });
});

test("describe_dataset tells what columns mean, and its figures are without what stands for blank", async () => {
  const { json } = await call(service, undefined, "describe_dataset", {
    handle: agent.handle,
    slug: work.slug,
  });
  const [{ tables }] = json.data.files;
  expect(tables[0].columns[2]).toMatchObject({
    ...{ name: "height_m", title: "Water level", unit: "m", missing_values: ["-999"], missing: 1, min: 3.5 },
    description: "Above the zero of the gauge.",
  });
  expect(tables[0].columns[1].role).toBe("time");
  expect(tables[0].example_question).toEqual({
    group: [{ column: "station" }],
    aggregate: [{ op: "avg", column: "height_m" }],
  });
  const { asset_id } = json.data.files[0];
  const question = { asset_id, ...tables[0].example_question };
  const answer = (await call(service, undefined, "query_dataset_rows", question)).json;
  expect(answer.data.rows).toEqual([
    ["H", 22.66],
    ["T", 3.5],
  ]);
  const file = (await call(service, undefined, "describe_dataset", { asset_id })).json.data.files[0];
  expect(file.tables).toEqual(tables);
  expect([json.data.creation.license, json.data.creation.freshness]).toEqual([null, null]);
});

test("a Data Package has constraints, keys and missing values, Croissant the words", async () => {
  const { resources } = JSON.parse((await get(at("/datapackage.json"))).text);
  expect(resources[0].schema).toEqual({
    fields: [
      { name: "station", type: "string", title: "Gauge", constraints: { required: true } },
      { name: "day", type: "date", constraints: { minimum: "2026-11-19" } },
      {
        name: "height_m",
        type: "number",
        title: "Water level",
        description: "Above the zero of the gauge.",
        unit: "m",
        missingValues: ["", "-999"],
        constraints: { minimum: -5, maximum: 50 },
      },
      {
        name: "quality",
        type: "string",
        categories: [{ value: "A", label: "checked" }, { value: "B" }],
        constraints: { enum: ["A", "B"] },
      },
    ],
    primaryKey: ["station", "day"],
    foreignKeys: [{ fields: ["station"], reference: { resource: "stations", fields: ["id"] } }],
  });
  const croissant = JSON.parse((await get(at("/croissant.json"))).text);
  expect(croissant.recordSet[0].field[2].description).toBe(
    "Above the zero of the gauge. Unit: m. Stands for blank: -999.",
  );
});

test("a column has the type of the cells beside its missing values in a Data Package", async () => {
  const asset = await uploadReady(service, agent, "na.csv", "a,b\n1,x\nNA,y\n2,z\n");
  const dictionary = { columns: [{ name: "a", missing_values: ["NA"], minimum: 1, maximum: 2.5 }] };
  const saved = (await saveOne(agent, asset, dictionary)).json.data;
  await publish(agent, saved);
  const { resources } = JSON.parse((await get(`/@${agent.handle}/${saved.slug}/datapackage.json`)).text);
  expect(resources[0].schema.fields[0]).toEqual({
    name: "a",
    type: "integer",
    missingValues: ["", "NA"],
    constraints: { minimum: 1, maximum: 2 },
  });
});

test("a restored revision keeps its dictionary and checks", async () => {
  const first = (await get(at(".json"))).json.data;
  const payload = {
    title: "Without",
    attachments: [{ asset_id: first.files[0].url.split("/").at(-2), label: "Readings" }],
  };
  await revise(agent, work, { payload });
  expect((await get(at(".json"))).json.data.files[0].dictionary).toBeNull();
  await act(agent, work, "restore", { revision_id: work.latest_revision.id });
  expect((await get(at(".json"))).json.data.files[0]).toEqual(first.files[0]);
});

test("no word of an attacker leaves its place on a page or in a document", async () => {
  const words = SCRIPT_PAYLOADS.slice(0, 20).map((text) =>
    text.toWellFormed().replace(/\p{C}/gu, " ").trim(),
  );
  const asset = await uploadReady(
    service,
    agent,
    "x.csv",
    `${words.map((_, place) => `c${place}`).join(",")}\n`,
  );
  await measureAsset(service.deps, service.threads, asset.id);
  const dictionary = {
    columns: words.map((word, place) => ({
      name: `c${place}`,
      title: word.slice(0, 80),
      description: word.slice(0, 400),
      unit: [...word].slice(0, 40).join("").trim(),
      missing_values: [word.slice(0, 90)],
      categories: [{ value: word, label: word.slice(0, 100) }],
    })),
  };
  const reply = await saveOne(agent, asset, dictionary);
  expect([reply.status, reply.json.errors]).toEqual([201, undefined]);
  await publish(agent, reply.json.data);
  const place = `/@${agent.handle}/${reply.json.data.slug}`;
  const plain = await makeCreation(agent, {
    type: "dataset",
    payload: { title: "One", attachments: [{ asset_id: asset.id, label: "One" }] },
  });
  await publish(agent, plain);
  const tagsOf = (page: string) =>
    [...page.matchAll(/<\/?(script|img|svg|iframe|a|math|style|body|object|embed)\b/gi)].map(([tag]) => tag);
  for (const end of ["", "/files/1"]) {
    const evil = tagsOf((await get(`${place}${end}`)).text);
    const good = tagsOf((await get(`/@${agent.handle}/${plain.slug}${end}`)).text);
    expect([end, evil]).toEqual([end, good]);
  }
  for (const end of ["/datapackage.json", "/croissant.json"])
    expect([end, (await get(`${place}${end}`)).status]).toEqual([end, 200]);
  const shown = JSON.parse((await get(`${place}.json`)).text).data.files[0].dictionary;
  expect(shown).toEqual(dictionary);
});
