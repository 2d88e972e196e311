import { randomUUID } from "node:crypto";
import { Agent, get } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { enrolAgent, formOf, send } from "../support/http-agent.ts";
import { openRealService, type RealService } from "../support/real-service.ts";
import { printRace, race } from "./race.ts";

const FILES = 10;
const COLUMNS = 300;
const ROWS = 20;
const ROUNDS = 40;
const REQUESTS_A_ROUND = 5;
const MOST = 1.2;
const PUBLIC_JSON = "public JSON";
const NAMES = ["croissant.json", "datapackage.json", "linkset.json"];

/**
 * The documents of a dataset of ten files with 300 columns each, beside its public JSON: answers that are kept, over the
 * whole body and over 304, and answers that are rendered for each request.
 */
export async function run(): Promise<string[]> {
  const service = await openRealService();
  try {
    const api = await service.startApi();
    const past = await service.startApi({ env: { LIMIT_PAGE_CACHE_BYTES: "0" } });
    await service.startWorkers();
    const page = await publishDataset(service, api.url);
    await untilMeasured(`${api.url}${page}/croissant.json`);
    return [
      ...(await compare("kept answers", api.url, page, { isConditional: false, isTarget: true })),
      ...(await compare("kept answers, 304", api.url, page, { isConditional: true, isTarget: true })),
      ...(await compare("rendered each time", past.url, page, { isConditional: false, isTarget: false })),
    ];
  } finally {
    await service.close();
  }
}

async function compare(
  title: string,
  url: string,
  page: string,
  { isConditional, isTarget }: { isConditional: boolean; isTarget: boolean },
): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const addresses = [[PUBLIC_JSON, `${page}.json`], ...NAMES.map((name) => [name, `${page}/${name}`])];
  try {
    const candidates = await Promise.all(
      addresses.map(async ([name = "", path]) => {
        const first = await ask(agent, `${url}${path}`, null);
        const etag = isConditional ? first.etag : null;
        console.log(`${name}: ${first.bytes} bytes`);
        const exchange = async () => {
          for (let n = 0; n < REQUESTS_A_ROUND; n++) await ask(agent, `${url}${path}`, etag);
        };
        return { name, run: exchange };
      }),
    );
    const targets = NAMES.map((ours) => ({ ours, peer: PUBLIC_JSON, most: MOST, isReach: !isTarget }));
    return printRace(`${title}, ${REQUESTS_A_ROUND} requests`, await race(candidates, ROUNDS), targets);
  } finally {
    agent.destroy();
  }
}

async function ask(
  agent: Agent,
  url: string,
  etag: string | null,
): Promise<{ etag: string | null; bytes: number }> {
  return await new Promise((resolve, reject) => {
    const sent = get(url, { agent, headers: etag === null ? {} : { "if-none-match": etag } }, (answer) => {
      let bytes = 0;
      answer.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      answer.on("end", () => {
        const { statusCode } = answer;
        if (statusCode === (etag === null ? 200 : 304)) resolve({ etag: answer.headers.etag ?? null, bytes });
        else reject(new Error(`${url} answered ${statusCode}`));
      });
    });
    sent.on("error", reject);
  });
}

/** The documents are kept once the statistics of every file are there. */
async function untilMeasured(url: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const text = await (await fetch(url)).text();
    if (text.split('"sc:Integer"').length > FILES * (COLUMNS / 3)) return;
    await delay(200);
  }
  throw new Error("the files were not measured in a minute");
}

/** Publishes the dataset; tells the path of its page. */
async function publishDataset(service: RealService, url: string): Promise<string> {
  const { token } = await enrolAgent(service.deps, url, "metadata-bench");
  const call = async (method: "GET" | "POST" | "PATCH", path: string, body?: object, ifMatch?: number) => {
    const key = method === "POST" ? randomUUID() : undefined;
    const reply = await send(url, { method, path: `/api/v1${path}`, token, key, ifMatch, body });
    if (reply.status >= 300) throw new Error(`preparing answered ${reply.status}: ${reply.text}`);
    return reply.json.data;
  };
  const before = await call("GET", "/agent/profile");
  const saved = await call("PATCH", "/agent/profile", { display_name: "Tide Watch" }, before.lock_version);
  await call("POST", "/agent/profile/publish", { revision_id: saved.draft.revision_id }, saved.lock_version);
  const attachments: object[] = [];
  for (let file = 0; file < FILES; file++) {
    const { id } = await call("POST", "/assets", formOf(`gauges-${file}.csv`, makeCsv(file)));
    attachments.push({ asset_id: id, label: `Gauges ${file}` });
  }
  const payload = { title: "Gauges", attachments };
  const made = await call("POST", "/creations", { type: "dataset", payload });
  await call(
    "POST",
    `/creations/${made.id}/publish`,
    { revision_id: made.latest_revision.id },
    made.lock_version,
  );
  return `/@metadata-bench/${made.slug}`;
}

/** Columns of whole numbers, of days and of words in turn. */
function makeCsv(file: number): string {
  const columns = Array.from({ length: COLUMNS }, (_, at) => at);
  const cellOf = (row: number, column: number) =>
    column % 3 === 0
      ? file + row * column
      : column % 3 === 1
        ? `2026-11-${10 + row}`
        : `gauge ${row} ${column}`;
  const rows = Array.from({ length: ROWS }, (_, row) =>
    columns.map((column) => cellOf(row, column)).join(","),
  );
  return `${columns.map((column) => `height_of_gauge_${column}`).join(",")}\n${rows.join("\n")}\n`;
}
