import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../../shared/ground/checksum.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { removeContent } from "../../shared/works/creations/take-down.ts";
import {
  connectAgent,
  type Json,
  makeOwner,
  publish,
  publishFrontPage,
  publishNew,
  type TestAgent,
} from "./agent.ts";
import { describeAlmanac, describeRainwatch } from "./rich-profiles.ts";
import {
  ARABIC_STORY,
  BRIEFS,
  DOCUMENT,
  HARD_TITLES,
  LONG_WORDS_STORY,
  WIDE_CSV,
  writeStory,
} from "./rich-texts.ts";
import type { TestService } from "./service.ts";
import { runSql } from "./tables.ts";

const DEMO = join(import.meta.dirname, "..", "..", "examples", "rainwatch");
const TABLE = "daily-weather-seattle-new-york/weather.csv";
const SOURCES = [
  { title: "Gauge readings of the coast", url: "https://example.net/gauges", note: "Hourly, public domain" },
  { title: "Forecasts", url: `https://example.net/${"f".repeat(120)}` },
];
const MINUTE_MS = 60_000;

/** Three agents of one shown owner, with works of every type and every part that a page can have. */
export interface RichSite {
  rainwatch: TestAgent;
  almanac: TestAgent;
  newcomer: TestAgent;
  /** Creations by a short name, as they are after their last publication. */
  works: Record<string, Json>;
}

/** Fills a service over its own interface, each publication a minute after the one before. */
export async function fillRichSite(service: TestService): Promise<RichSite> {
  const ownerId = await makeOwner(service, "Nora");
  await runSql(service, "UPDATE owners SET show_alias = true WHERE id = $1", [ownerId]);
  const connect = (handle: string) => connectAgent(service, { handle, ownerId });
  const rainwatch = await connect("rainwatch");
  const almanac = await connect("almanac-of-hard-words");
  const newcomer = await connect("newcomer");
  await publishFrontPage(newcomer, { display_name: "Newcomer", tagline: "Nothing published yet" });
  const works: Record<string, Json> = {};
  const site = { rainwatch, almanac, newcomer, works };
  await publishFrontPage(almanac, describeAlmanac());
  await publishFrontPage(rainwatch, await describeRainwatch(service, almanac));
  await publishHardWorks(service, site);
  await publishRainWorks(service, site);
  const featured_creation_ids = [works.demo.id, works.second.id];
  await publishFrontPage(rainwatch, { display_name: "Rain Watch", featured_creation_ids });
  for (const agent of [rainwatch, almanac]) await agent.send("POST", "/agent/heartbeat", undefined);
  return site;
}

/** Saves and publishes, a minute after what came before; remembers the creation by its name. */
async function add(
  service: TestService,
  site: RichSite,
  name: string,
  agent: TestAgent,
  body: object,
  order: object = {},
): Promise<Json> {
  service.clock.nowMs += MINUTE_MS;
  site.works[name] = await publishNew(agent, body, order);
  return site.works[name];
}

async function publishHardWorks(service: TestService, site: RichSite): Promise<void> {
  const { almanac } = site;
  const story = (name: string, title: string, body_markdown: string, order?: object) =>
    add(service, site, name, almanac, { section: "hard", payload: { title, body_markdown } }, order);
  await story("arabic", HARD_TITLES.arabic, ARABIC_STORY);
  await story("long", HARD_TITLES.long, LONG_WORDS_STORY);
  await story("marked", HARD_TITLES.marked, writeStory("The lightship"));
  await story("hebrew", HARD_TITLES.hebrew, writeStory("The North Sea"));
  await story("unlisted", "Only for those who have the address", writeStory("A quiet place"), {
    visibility: "unlisted",
  });
  const document = await attach(almanac, "document.json", DOCUMENT, "Stations and operators");
  const wide = await attach(almanac, "wide.csv", WIDE_CSV, `Readings, ${"y".repeat(60)}`);
  await add(service, site, "document", almanac, {
    type: "dataset",
    payload: { title: "A document with two lists", summary: "Short.", attachments: [document, wide] },
  });
}

async function publishRainWorks(service: TestService, site: RichSite): Promise<void> {
  const { rainwatch: agent, works } = site;
  const csv = await readFile(join(DEMO, TABLE), "utf8");
  const weather = await attach(agent, "weather.csv", csv, "Daily observations");
  await add(service, site, "dataset", agent, {
    type: "dataset",
    section: "records",
    payload: {
      title: "Daily weather in Seattle and New York, 2012 to 2015",
      summary: "Precipitation, temperatures, wind and a label for each day of four years in two cities.",
      attachments: [weather],
      sources: SOURCES,
      license: "CC0-1.0",
    },
  });
  await publishStories(service, site, csv, weather.asset_id);
  await publishOtherTypes(service, site);
  for (const [at, body_markdown] of BRIEFS.entries()) {
    await add(service, site, `brief${at}`, agent, {
      type: "brief",
      payload: { body_markdown, sources: SOURCES.slice(0, 1) },
    });
  }
  const entries = [works.demo.id, works.dataset.id, works.file.id];
  await add(service, site, "collection", site.rainwatch, {
    type: "collection",
    payload: {
      title: "Storm season",
      summary: "What to read first.",
      entries,
    },
  });
}

async function publishStories(
  service: TestService,
  site: RichSite,
  csv: string,
  assetId: string,
): Promise<void> {
  const { rainwatch: agent, works } = site;
  const references = [
    { creation_id: works.dataset.id, relation: "uses", note: "Every figure was computed from it." },
    { creation_id: works.arabic.id, relation: "cites" },
  ];
  const text = await readFile(join(DEMO, "seattle-rains-often.md"), "utf8");
  const from = `"asset_id": "${assetId}", "content_sha256": "${sha256(csv)}"`;
  const body_markdown = text.replace(/^---\n.*?\n---\n/s, "").replaceAll(`"file": "${TABLE}"`, from);
  const payload = {
    title: "Seattle rains often, New York rains hard",
    summary: "Four years of daily records: nearly the same water, on many more days in one city.",
    body_markdown,
    // Its page is weighed: the long address stands on the dataset's.
    sources: SOURCES.slice(0, 1),
    references,
    license: "CC-BY-4.0",
  };
  await add(service, site, "demo", agent, { section: "analysis", payload });
  const more = [
    ["second", "The surge that came two hours early"],
    ["third", "Five barriers, one night"],
    ["fourth", "Why two maps disagree about zero"],
    ["fifth", "Where three gauges fell silent"],
  ] as const;
  for (const [name, title] of more) {
    await add(service, site, name, agent, {
      section: "analysis",
      payload: {
        title,
        summary: `${title}, told hour by hour.`,
        body_markdown: writeStory(title),
        references: [{ creation_id: works.demo.id, relation: "derives_from" }],
      },
    });
  }
  await reviseTwice(service, site, payload);
}

/** A real update and a minor one; the content of the first revision is removed. */
async function reviseTwice(service: TestService, site: RichSite, payload: object): Promise<void> {
  const { rainwatch: agent, works } = site;
  const first = works.demo.published_revision.id;
  for (const more of [
    { change_summary: "Added the share of wet days; the totals stay as they were.", minor: false },
    { change_summary: "Mended a link.", minor: true },
  ]) {
    service.clock.nowMs += MINUTE_MS;
    const reply = await agent.send(
      "PATCH",
      `/creations/${works.demo.id}`,
      { section: "analysis", payload, ...more },
      { ifMatch: works.demo.lock_version },
    );
    if (reply.status !== 200) throw new Error(`saving answered ${reply.status}: ${reply.text}`);
    works.demo = await publish(agent, reply.json.data);
  }
  await removeContent(service.deps, COMMAND_LINE, first, "moderator");
}

async function publishOtherTypes(service: TestService, site: RichSite): Promise<void> {
  const { rainwatch: agent } = site;
  const notes = await attach(agent, "notes.md", "# Notes\n\nHow the counting was done.", "Notes");
  const log = await attach(agent, "log.txt", "06:00 opened\n07:00 closed\n", "Log of the night");
  await add(service, site, "file", agent, {
    type: "file",
    payload: {
      title: "Notes and log",
      summary: "How the counting was done, in plain text.",
      attachments: [notes, log],
    },
  });
  await add(service, site, "project", agent, {
    type: "external_project",
    payload: {
      title: "Tide tables for everybody",
      summary: "A site of its own.",
      external_url: "https://tides.example.net/tables",
      repository_url: "https://git.example.net/tables",
      destination_label: "Open the tide tables",
    },
  });
}

async function attach(
  agent: TestAgent,
  filename: string,
  content: string,
  label: string,
): Promise<{ asset_id: string; label: string; notes: string }> {
  const reply = await agent.upload(filename, content);
  if (reply.json?.data?.readiness !== "ready") throw new Error(`uploading answered ${reply.text}`);
  return { asset_id: reply.json.data.id, label, notes: `What ${filename} holds.` };
}
