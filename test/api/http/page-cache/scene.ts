import type { FastifyInstance } from "fastify";
import { buildApp } from "../../../../api/app.ts";
import { measureAsset } from "../../../../shared/datasets/uploads/statistics.ts";
import type { Config } from "../../../../shared/platform/config.ts";
import type { Deps } from "../../../../shared/platform/deps.ts";
import { closeDeps, openDeps } from "../../../../shared/platform/deps.ts";
import { openLog } from "../../../../shared/platform/telemetry/log.ts";
import {
  connectAgent,
  connectAuthor,
  makeCreation,
  makeOwner,
  publish,
  publishFrontPage,
  type TestAgent,
} from "../../../support/agent.ts";
import { closeAfterwards } from "../../../support/close-afterwards.ts";
import { openService, type TestService, untilJobsAreDone } from "../../../support/service.ts";

/** An API process of its own beside the service, on the same database and clock. */
export interface Process {
  app: FastifyInstance;
  /** Where it listens. */
  origin: string;
  deps: Deps;
  /** Statements of its pool; reads of page versions go past it. */
  statements: string[];
}

/** Two processes that cache pages, one that caches none, and works that name one another. */
export interface Scene {
  service: TestService;
  /** These cache pages. */
  caching: readonly [Process, Process];
  /** This one renders every page anew: what the others must equal. */
  uncached: Process;
  tide: TestAgent;
  other: TestAgent;
  /** Ids by slug. */
  ids: Record<"story" | "data" | "base" | "citing" | "list", string>;
  /** Ids of every topic of the start. */
  topics: { id: string; slug: string }[];
}

/** Every address whose response is cached under a version. */
export const ADDRESSES = [
  "/",
  ...[
    "/@tide",
    "/@tide?type=story",
    "/@tide?type=dataset&page=1",
    "/@tide/profile.json",
    "/@tide.md",
    "/@tide/section/north",
    "/@tide/section/south",
    "/@other",
    "/@other/profile.json",
  ],
  ...[
    "/@tide/story",
    "/@tide/story.json",
    "/@tide/story/revisions",
    "/@tide/story/revisions/1",
    "/@tide/story/revisions/2",
    "/@tide/story/revisions/1..2",
    "/@tide/story/revisions.json",
    "/@tide/story/changes.xml",
    "/@tide/story/charts/1.svg",
    "/@tide/story/charts/1.csv",
    "/@tide/story/charts/1.json",
    "/@tide/story/charts/1",
    "/@tide/story/revisions/1/charts/1",
    "/@tide/story/revisions/1/charts/1.svg",
    "/@tide/story/cite.bib",
    "/@tide/story.md",
    "/@tide/story/revisions/1.md",
    "/@tide/story/revisions/1/cite.txt",
  ],
  ...["/@tide/data", "/@tide/data.json", "/@tide/data/revisions/1", "/@tide/data/citation.cff"],
  ...[
    "/@tide/data.md",
    "/@tide/data/croissant.json",
    "/@tide/data/datapackage.json",
    "/@tide/data/linkset.json",
  ],
  "/@tide/data/revisions/1/croissant.json",
  "/@tide/data/revisions/1..1",
  ...[
    "/@other/base",
    "/@other/base.json",
    "/@other/citing",
    "/@other/citing.json",
    "/@tide/list",
    "/@tide/list.json",
  ],
  ...["/feed.xml", "/@tide/feed.xml", "/@tide/section/north/feed.xml", "/@other/feed.xml"],
  "/api/v1/topics",
];

const LIMITS = { publicationsPerDay: 100_000, updatesPerDay: 100_000, publicJsonPerMinute: 100_000 };

const CHART = JSON.stringify({
  mark: "bar",
  data: {
    values: [
      { year: "1990", level: 4 },
      { year: "1991", level: 5 },
    ],
  },
  encoding: { x: { field: "year", type: "nominal" }, y: { field: "level", type: "quantitative" } },
});

/** A text with a chart behind it. */
export function withChart(text: string): string {
  return `${text}\n\n\`\`\`chart\n${CHART}\n\`\`\``;
}

/** Opens the service and publishes the works, each with a first and a second revision where acts need them. */
export async function openScene(): Promise<Scene> {
  const service = await openService({ limits: LIMITS });
  const second = await openProcess(service, service.deps.config.limits.pageCacheBytes);
  const uncached = await openProcess(service, 0);
  const ownerId = await makeOwner(service, "Harbour Desk");
  const tide = await connectAgent(service, { handle: "tide", ownerId });
  const other = await connectAuthor(service, { handle: "other", display_name: "Other Gauge" });
  const topics = (await tide.get("/topics")).json.data;
  await publishFrontPage(tide, {
    ...{ display_name: "Tide Watch", topic_ids: [topics[0].id, topics[1].id], linked_agent_ids: [other.id] },
    sections: [
      { slug: "north", name: "The north" },
      { slug: "south", name: "The south" },
    ],
  });
  const ids = await publishWorks(service, tide, other);
  // What workers make of the works shows on their pages.
  await untilJobsAreDone(service);
  const { app, deps, statements } = service;
  const first: Process = { app, origin: await listen(app), deps, statements };
  return { service, caching: [first, second], uncached, tide, other, ids, topics };
}

/** Opens an API process beside the service; `endPools` ends its pools while it still answers. */
export async function openProcess(
  service: TestService,
  pageCacheBytes: number,
  more: Partial<Config> = {},
): Promise<Process & { endPools(): Promise<void> }> {
  const { config } = service.deps;
  const statements: string[] = [];
  const deps = await openDeps(
    { ...config, ...more, limits: { ...config.limits, pageCacheBytes } },
    {
      ...{
        databaseUrl: service.databaseUrl,
        works: false,
        maxConnections: 4,
        log: openLog("silent", "test"),
      },
      now: () => service.clock.nowMs,
      onStatement: (text) => statements.push(text),
    },
  );
  // Every address at once on a busy machine is no overload here.
  const app = await buildApp(deps, service.threads, { load: { reads: 1e6, writes: 1e6 } });
  const endPools = closeAfterwards(() => closeDeps(deps));
  closeAfterwards(() => app.close());
  return { app, endPools, origin: await listen(app), deps, statements };
}

async function listen(app: FastifyInstance): Promise<string> {
  return await app.listen({ port: 0, host: "127.0.0.1" });
}

async function publishWorks(service: TestService, tide: TestAgent, other: TestAgent) {
  const make = async (agent: TestAgent, slug: string, body: object): Promise<string> => {
    service.clock.nowMs += 61_000;
    const made = await makeCreation(agent, { slug, ...body });
    await publish(agent, made);
    return made.id;
  };
  const base = await make(other, "base", {
    payload: { title: "Base", body_markdown: "Levels since 1990." },
  });
  const story = await make(tide, "story", {
    section: "north",
    payload: {
      title: "Surge",
      body_markdown: withChart("First."),
      references: [{ creation_id: base, relation: "uses" }],
    },
  });
  const data = await make(tide, "data", {
    type: "dataset",
    section: "south",
    payload: await describeData(service, tide, 1),
  });
  const citing = await make(other, "citing", {
    payload: {
      title: "Citing",
      body_markdown: "See.",
      references: [{ creation_id: story, relation: "cites" }],
    },
  });
  const list = await make(tide, "list", {
    type: "collection",
    payload: { title: "List", summary: "All of it.", entries: [story, data] },
  });
  return { story, data, base, citing, list };
}

/**
 * A dataset of one small, measured file, another one each time; null where the agent may not upload now. Its page is
 * one of two, before its statistics are there and with them; this one is looked at with them.
 */
export async function describeData(
  service: TestService,
  agent: TestAgent,
  number: number,
): Promise<object | null> {
  const uploaded = await agent.upload("levels.csv", `day,level\n2026-11-20,${number}\n`);
  if (uploaded.status !== 201) return null;
  await measureAsset(service.deps, service.threads, uploaded.json.data.id);
  return {
    ...{ title: "Levels", summary: "Water levels.", update_frequency: "daily" },
    attachments: [{ asset_id: uploaded.json.data.id, label: "Levels" }],
  };
}
