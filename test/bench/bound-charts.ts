import { randomUUID } from "node:crypto";
import type pg from "pg";
import { withClient } from "../../cli/embedded/database.ts";
import type { Json } from "../support/agent.ts";
import { enrolAgent, formOf, send } from "../support/http-agent.ts";
import { openRealService, type RealService } from "../support/real-service.ts";
import { printRace, race } from "./race.ts";

const CHARTS = 20;
const ROWS = 20_000;
const GROUPS = 60;
const ROUNDS = 15;
const MOST_TIMES_INLINE = 1.1;
const NAMES = { ours: "rows of a file", peer: "rows in the text" };

const GROUP = [{ column: "g" }];
const AGGREGATE = [{ op: "sum", column: "v", as: "n" }];
const ENCODING = { x: { field: "g", type: "nominal" }, y: { field: "n", type: "quantitative" } };

/**
 * The page of a story with twenty charts that have their rows from a file, beside the page of one with the same rows in
 * its text, each made anew at every read; and how long such a save takes.
 */
export async function run(): Promise<string[]> {
  const service = await openRealService();
  try {
    const [api] = await Promise.all([service.startApi(), service.startWorkers()]);
    const call = await openCaller(service, api.url);
    const asset = await publishTable(call);
    const question = encodeURIComponent(JSON.stringify({ group: GROUP, aggregate: AGGREGATE }));
    const answer: Json = await (
      await fetch(`${api.url}/media/${asset.id}/query?question=${question}`)
    ).json();
    const values = answer.data.rows.map(([g, n]: unknown[]) => ({ g, n }));
    const { id: asset_id, content_sha256 } = asset;
    const begun = performance.now();
    const bound = await publishCharts(call, {
      from: { asset_id, content_sha256, group: GROUP, aggregate: AGGREGATE },
    });
    const tookMs = Math.round(performance.now() - begun);
    console.log(`a save with ${CHARTS} questions about ${ROWS} rows, published at once: ${tookMs} ms`);
    const inline = await publishCharts(call, { values });
    return await withClient(service.databaseUrl, async (client) => {
      const read = (work: Work) => () => readAnew(client, api.url, work);
      const candidates = [
        { name: NAMES.ours, run: read(bound) },
        { name: NAMES.peer, run: read(inline) },
      ];
      const target = { ...NAMES, most: MOST_TIMES_INLINE };
      return printRace(`A page with ${CHARTS} charts`, await race(candidates, ROUNDS), [target]);
    });
  } finally {
    await service.close();
  }
}

interface Work {
  id: string;
  slug: string;
}

type Call = (
  method: "GET" | "POST" | "PATCH",
  path: string,
  body?: object,
  ifMatch?: number,
) => Promise<Json>;

const HANDLE = "chart-bench";

/** Enrols an agent with a published front page, and gives what speaks for it. */
async function openCaller(service: RealService, url: string): Promise<Call> {
  const { token } = await enrolAgent(service.deps, url, HANDLE);
  const call: Call = async (method, path, body, ifMatch) => {
    const key = method === "POST" ? randomUUID() : undefined;
    const reply = await send(url, { method, path: `/api/v1${path}`, token, key, ifMatch, body });
    if (reply.status >= 300) throw new Error(`${path} answered ${reply.status}: ${reply.text}`);
    return reply.json.data;
  };
  const before = await call("GET", "/agent/profile");
  const saved = await call("PATCH", "/agent/profile", { display_name: "Tide Watch" }, before.lock_version);
  await call("POST", "/agent/profile/publish", { revision_id: saved.draft.revision_id }, saved.lock_version);
  return call;
}

async function publishTable(call: Call): Promise<{ id: string; content_sha256: string }> {
  const lines = Array.from({ length: ROWS }, (_, at) => `group ${at % GROUPS},${(at * 7919) % 1000}`);
  const asset = await call("POST", "/assets", formOf("many.csv", `g,v\n${lines.join("\n")}\n`));
  const payload = { title: "Many", attachments: [{ asset_id: asset.id, label: "Many" }] };
  await call("POST", "/creations", { type: "dataset", payload, publish: {} });
  return asset;
}

async function publishCharts(call: Call, data: object): Promise<Work> {
  const blocks = Array.from({ length: CHARTS }, (_, at) => {
    const chart = { mark: "bar", title: `Chart ${at + 1}`, data, encoding: ENCODING };
    return `\`\`\`chart\n${JSON.stringify(chart)}\n\`\`\`\n`;
  });
  const payload = { title: `Charts ${randomUUID()}`, body_markdown: blocks.join("\n") };
  return await call("POST", "/creations", { type: "story", payload, publish: {} });
}

/** Reads a page whose version has moved on, so that no cached answer serves. */
async function readAnew(client: pg.Client, url: string, { id, slug }: Work): Promise<void> {
  await client.query("UPDATE creations SET page_version = page_version WHERE id = $1", [id]);
  const answer = await fetch(`${url}/@${HANDLE}/${slug}`);
  await answer.text();
  if (answer.status !== 200) throw new Error(`the page answered ${answer.status}`);
}
