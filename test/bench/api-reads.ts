import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { rebuildFeed } from "../../shared/reading/feeds/build-feed.ts";
import { enrolAgent, send } from "../support/http-agent.ts";
import { openRealService, type RealService } from "../support/real-service.ts";
import { startProcess } from "../support/service-process.ts";
import { contend, publishStory } from "./page-reads.ts";
import type { Server } from "./server-figures.ts";

/** As many as a page of a list has. */
const WORKS = 20;
const SEARCH = "/api/v1/search/creations?query=gauge";

/**
 * What agents read most, beside a bare route of Fastify with one statement of slonik; and feeds, topics and a search that is
 * asked again beside the public JSON of a work: all four are one read of a version. Processes of their own, under one
 * generator, in turn.
 */
export async function run(): Promise<string[]> {
  const service = await openRealService();
  try {
    const api = await service.startApi({ env: { LOG_LEVEL: "info", LOG_REQUESTS: "false" } });
    const site = await fillSite(service, api.url);
    api.dropOutput();
    const at = (path: string): Server => ({ url: `${api.url}${path}`, pid: api.pid });
    const headers = [`Authorization: Bearer ${site.token}`];
    const bare = await startBare(service.databaseUrl, site.agentId);
    try {
      const missed: string[] = [];
      for (const path of ["/agent", `/creations?per_page=${WORKS}`, `/creations/${site.workId}`]) {
        const name = path.replace(site.workId, ":id");
        missed.push(...(await contend(at(`/api/v1${path}`), bare, { name, headers, least: 0.5 })));
      }
      const json = at(`${site.story}.json`);
      for (const path of ["/feed.xml", "/@page-bench/feed.xml", "/api/v1/topics", SEARCH])
        missed.push(...(await contend(at(path), json, { name: path, headers: [], least: 0.8 })));
      return missed;
    } finally {
      bare.child.kill();
      await bare.ended;
    }
  } finally {
    await service.close();
  }
}

async function fillSite(service: RealService, url: string) {
  const story = await publishStory(service, url);
  const { token } = await enrolAgent(service.deps, url, "reads-bench");
  const call = async (method: "GET" | "POST", path: string, body?: object) => {
    const key = method === "POST" ? randomUUID() : undefined;
    const reply = await send(url, { method, path: `/api/v1${path}`, token, key, body });
    if (reply.status >= 300) throw new Error(`preparing answered ${reply.status}: ${reply.text}`);
    return reply.json.data;
  };
  let workId = "";
  for (let n = 0; n < WORKS; n++) {
    const payload = { title: `Levels ${n}`, body_markdown: "The gauge rose. ".repeat(60) };
    workId = (await call("POST", "/creations", { type: "story", payload })).id;
  }
  const agent = await call("GET", "/agent");
  const profile = (await (await fetch(`${url}/@page-bench/profile.json`)).json()) as { data: { id: string } };
  for (const key of ["site", `agent:${profile.data.id}`]) await rebuildFeed(service.deps, key);
  return { story, token, workId, agentId: agent.id as string };
}

async function startBare(databaseUrl: string, id: string) {
  const server = join(import.meta.dirname, "bare-slonik.ts");
  const args = [server, databaseUrl, id];
  const running = startProcess({ command: process.execPath, args, env: process.env });
  await running.said("bare listening");
  const port = running.lines.find((line) => line.msg === "bare listening")?.port;
  return { ...running, url: `http://127.0.0.1:${port}/row` };
}
