import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { sweepSearchMarks } from "../../../../shared/reading/search/index-words.ts";
import { request } from "../../../support/agent.ts";
import { some } from "../../../support/depth.ts";
import { findTitles, makePublisher, publishStory, search, topicId } from "../../../support/search-site.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { publishWinds } from "../../../support/winds.ts";

const find = (query: string, more: Record<string, string> = {}) => findTitles(service, { query, ...more });

const service = await openService({ limits: { publicationsPerDay: 100 } });
await publishWinds(service);

const MARKS_GO = { timeout: 80_000, interval: 50 };

describe("matching", () => {
  test("titles come before summaries before text, more words first, then the newest", async () => {
    expect(await find("zephyr")).toEqual([
      "Zephyr and monsoon",
      "The zephyr itself",
      "In the summary",
      "Later text",
      "In the text",
    ]);
    expect((await find("monsoon zephyr")).slice(0, 2)).toEqual(["Zephyr and monsoon", "The zephyr itself"]);
    // Works with both words come before a title with one.
    expect(await find("spring zephyr")).toEqual([
      "Later text",
      "In the text",
      "Zephyr and monsoon",
      "The zephyr itself",
      "In the summary",
    ]);
  });
  test.each([
    ["a start of a word", "zeph monso", "Zephyr and monsoon"],
    ["two letters", "mo", "Zephyr and monsoon"],
    ["another case and accents", "BUSUM", "In the text"],
    ["Cyrillic", "НАВОДН", "Наводнение в Новгороде"],
    ["a word inside Chinese text", "水位", "Наводнение в Новгороде"],
    ["the start of a Chinese word", "水", "Наводнение в Новгороде"],
    ["the publisher's name", "watch", "Наводнение в Новгороде"],
    ["the publisher's handle", "tidew", "Наводнение в Новгороде"],
    ["a topic of the publisher", "climate", "Наводнение в Новгороде"],
    ["a file's label", "hydrograph", "Sheet"],
    ["a column's name", "PegelStand", "Sheet"],
    ["the exact name of a column, before works with both words", "wind_speed", "Sheet"],
    ["the exact name of a column in quotes", '"Wind speed" monsoon zephyr', "Sheet"],
    ["a phrase in the text", '"spring TIDE of wind"', "In the text"],
    ["a phrase beside a word, with both first", '"seen from" zephyr', "In the text"],
  ])("%s is found", async (_what, query, title) => {
    expect((await find(query))[0]).toBe(title);
  });
  test("a phrase is no words in another order or another block, nor the start of a word", async () => {
    for (const query of ['"tide spring"', '"busum a spring"', '"spring ti"', '"wind tide"']) {
      expect([query, await find(query)]).toEqual([query, []]);
    }
    expect(await find('"zephyr"')).toEqual(await find("zephyr"));
    expect(await find('"zephyr')).toEqual(await find("zephyr"));
    expect(await find('"climate and weather"')).toEqual(["Наводнение в Новгороде"]);
  });
  test("a work from before an upgrade is found by its words until the sweep has indexed it anew", async () => {
    await runSql(service, "UPDATE search_creations SET folded = NULL, has_data = NULL");
    expect(await find('"tide spring"')).toEqual(["In the text"]);
    expect(await find("", { has_data: "true" })).toEqual(["Sheet"]);
    const all = "SELECT 'rewrite-search-text', creation_id, now(), now() FROM search_creations";
    await runSql(service, `INSERT INTO pending_work (kind, subject, created_at, run_at) ${all}`);
    // The workers' own sweep may take some of them meanwhile.
    expect(await sweepSearchMarks(service.deps)).toBeLessThanOrEqual(7);
    await expect.poll(() => runSql(service, "SELECT subject_id FROM search_marks"), MARKS_GO).toEqual([]);
    expect(await find('"tide spring"')).toEqual([]);
    expect(await find('"spring tide"')).toEqual(["In the text"]);
  });
  test("the end or middle of a word is not", async () => {
    expect(await find("ephyr onsoon")).toEqual([]);
  });
  test("without words the last published comes first, also where the query holds none", async () => {
    const all = await find("");
    expect(all).toHaveLength(7);
    expect([all[0], all.at(-1)]).toEqual(["Sheet", "In the text"]);
    expect(await find("!?")).toEqual(all);
  });
});

const MORE_FAULTS = {
  agent: "nobody-here",
  since: "2026-02-30",
  has_data: "1",
  fields: "id",
  license: "CC-BY",
};

describe("filters", () => {
  test("by topic, by slug or id in any case", async () => {
    const id = await topicId(service, "climate");
    for (const topic of ["climate", id, id.toLowerCase()]) {
      expect(await find("", { topic })).toEqual(["Наводнение в Новгороде"]);
    }
    expect(await find("zephyr", { topic: "climate" })).toEqual([]);
  });
  test("by the former name of a type, which is told with the name in force", async () => {
    const { json } = await search(service, "creations", { type: "article" });
    expect(json.errors.type[0]).toMatch(/ The type article is now called story\.$/);
  });

  test("by type and by sources", async () => {
    expect(await find("", { type: "dataset" })).toEqual(["Sheet"]);
    expect(await find("zephyr", { type: "dataset" })).toEqual([]);
    expect(await find("", { has_sources: "true" })).toEqual(["Наводнение в Новгороде"]);
    expect(await find("водопад новгород", { has_sources: "false" })).toEqual([]);
  });
  test("by agent, by day and by data", async () => {
    expect(await find("", { agent: "tidewatch" })).toEqual(["Наводнение в Новгороде"]);
    expect(await find("", { agent: "@sirens", has_data: "true" })).toEqual(["Sheet"]);
    expect(await find("zephyr", { has_data: "true" })).toEqual([]);
    expect(await find("zephyr", { has_data: "false" })).toHaveLength(5);
    const day = new Date(service.clock.nowMs).toISOString().slice(0, 10);
    const next = new Date(service.clock.nowMs + 86_400_000).toISOString().slice(0, 10);
    expect([(await find("", { since: day })).length, await find("", { since: next })]).toEqual([7, []]);
  });
  test("those that cannot be read are refused together, each by name", async () => {
    const query = {
      type: "poem",
      topic: "nowhere",
      has_sources: "yes",
      page: "0",
      query: "x".repeat(201),
      ...MORE_FAULTS,
    };
    const reply = await search(service, "creations", query);
    expect(reply.status).toBe(422);
    expect(reply.json.code).toBe("validation_failed");
    const names = [
      "agent",
      "fields",
      "has_data",
      "has_sources",
      "license",
      "page",
      "query",
      "since",
      "topic",
      "type",
    ];
    expect(Object.keys(reply.json.errors).sort()).toEqual(names);
  });
  test("empty ones are left out; unknown and repeated ones are refused", async () => {
    const search = (query: string) =>
      request(service, { method: "GET", url: `/api/v1/search/creations?${query}` });
    const reply = await search("query=zephyr&topic=&type=&has_sources=&page=");
    expect([reply.status, reply.json.meta.total, reply.json.meta.per_page]).toEqual([200, 5, 20]);
    const refused = await search("query=zephyr&query=x&per_page=1&x=1");
    expect([refused.status, Object.keys(refused.json.errors)]).toEqual([422, ["query", "per_page", "x"]]);
  });
});

describe("answers", () => {
  test("are those of the contract, with links that keep the query", async () => {
    const reply = await search(service, "creations", { q: "новгороде", topic: "climate" });
    const path = "http://localhost:3000/api/v1/search/creations";
    expect(reply.json.links.first).toBe(
      `${path}?query=${encodeURIComponent("новгороде")}&topic=climate&page=1`,
    );
    expect(reply.json.meta).toMatchObject({ current_page: 1, last_page: 1, path, per_page: 20, total: 1 });
    expect(reply.json.data[0]).toMatchObject({
      has_sources: true,
      topics: [{ slug: "climate", label: "Climate and weather" }],
      agent: { handle: "tidewatch", display_name: "Tide Watch" },
    });
    expect(reply.headers).toMatchObject({
      "cache-control": "public, max-age=60",
      "access-control-allow-origin": "*",
    });
    expect(reply.headers["set-cookie"]).toBeUndefined();
  });
  test("name the matched place, without the marks of its text", async () => {
    const excerpt = async (query: string) =>
      (await search(service, "creations", { query })).json.data[0].excerpt;
    expect(await excerpt("busum")).toBe("A zephyr, seen from Büsum.");
    expect(await excerpt('"tide of wind"')).toBe("tide of wind. Speed it.");
    expect(await excerpt("pegelstand")).toBe("pegelstand, hour, Wind_Speed");
    expect(await excerpt("tidewatch")).toBe("今天水位很高");
  });
  test("with fields=summary have what a choice needs, and links that keep it", async () => {
    const { json } = await search(service, "creations", { query: "monsoon", fields: "summary" });
    expect(Object.keys(json.data[0])).toEqual([
      ...["id", "type", "title", "summary", "url", "agent", "first_published_at", "updated_at"],
      ...["retracted", "excerpt"],
    ]);
    expect(Object.keys(json.data[0].agent)).toEqual(["handle", "display_name"]);
    expect(json.links.first).toContain("fields=summary&page=1");
  });
  test.each(["2", "500", "501", "999999999", "9999999999", "9".repeat(40)])(
    "page %s past the end is empty",
    async (page) => {
      const reply = await search(service, "creations", { query: "zephyr", page });
      expect(reply.status).toBe(200);
      expect(reply.json.data).toEqual([]);
      expect(reply.json.meta).toMatchObject({ from: null, to: null, last_page: 1 });
    },
  );
  test("twenty stand on a page", async () => {
    const agent = await makePublisher(service, "manyworks", { display_name: "Many" });
    for (let n = 0; n < 23; n++) await publishStory(service, agent, { title: `Ledger ${n}` });
    const pages = [await find("ledger"), await find("ledger", { page: "2" })];
    expect(pages.map((page) => page.length)).toEqual([20, 3]);
    expect(new Set(pages.flat()).size).toBe(23);
    expect(pages.flat()[0]).toBe("Ledger 22");
  });
});

describe("hostile queries", () => {
  const own = [
    "zephyr & !monsoon | (wind)",
    "'zephyr':* <-> \"monsoon\"",
    "zephyr:A*",
    "\\' OR 1=1 --",
    "%_%",
    "😀".repeat(200),
    "a b c d e f g h i j k l m n o p q r s t u v w x y z",
    "\u202Ezephyr\u200b",
  ];
  const corpus = "../shared/corpora/naughty-strings.json";
  test.each(own)("%j answers 200", async (query) => {
    expect((await search(service, "creations", { query })).status).toBe(200);
    expect((await search(service, "agents", { query })).status).toBe(200);
  });
  test("the corpus of naughty strings breaks nothing", { timeout: 240_000 }, async () => {
    if (!existsSync(corpus)) return console.warn(`SKIPPED: ${corpus} is not here.`);
    const { strings, own: more }: Record<string, string[]> = JSON.parse(readFileSync(corpus, "utf8"));
    for (const query of some([...(strings ?? []), ...(more ?? [])], 6)) {
      const { status } = await search(service, "creations", { query });
      const isRefused = [...query].length > 200 || query.includes("\0");
      expect([query, status]).toEqual([query, isRefused ? 422 : 200]);
    }
  });
});
