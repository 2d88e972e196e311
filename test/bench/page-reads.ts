import { randomUUID } from "node:crypto";
import { loadavg } from "node:os";
import { join } from "node:path";
import { enrolAgent, type HttpReply, send } from "../support/http-agent.ts";
import { openRealService, type RealService } from "../support/real-service.ts";
import { GENERATOR } from "./load.ts";
import { medianOf } from "./race.ts";
import { type Figures, measureServer, type Server, startBare } from "./server-figures.ts";

const CONNECTIONS = 50;
const SECONDS = 3;
const ROUNDS = 5;
const PAGE_BYTES = 30_000;

interface Contest {
  name: string;
  /** A header that both are asked with. */
  headers: string[];
  least: number;
}

/**
 * A published story's page of 30 KB under 50 connections, its state looked up at every request, beside a bare route
 * that answers with the same bytes from memory. Both are processes of their own, under one generator, in turn.
 */
export async function run(): Promise<string[]> {
  const service = await openRealService();
  try {
    const api = await service.startApi({
      env: { LOG_LEVEL: "info", LOG_REQUESTS: process.env.LOG_REQUESTS ?? "true" },
    });
    const page = `${api.url}${await publishStory(service, api.url)}`;
    api.dropOutput();
    const answer = await fetch(page);
    const [html, etag] = [await answer.text(), answer.headers.get("etag") ?? ""];
    const ours = { url: page, pid: api.pid };
    const bare = await startBare(join(service.dataDir, "page.html"), html, etag);
    try {
      const copy = await fetch(bare.url);
      if ((await copy.text()) !== html || copy.headers.get("etag") !== etag)
        throw new Error("answers differ");
      console.log(`page of ${Buffer.byteLength(html)} bytes, ${CONNECTIONS} connections, ${GENERATOR}`);
      return [
        ...(await contend(ours, bare, { name: "page", headers: [], least: 0.25 })),
        ...(await contend(ours, bare, { name: "304", headers: [`If-None-Match: ${etag}`], least: 0.2 })),
      ];
    } finally {
      bare.child.kill();
      await bare.ended;
    }
  } finally {
    await service.close();
  }
}

/** Puts ours beside the other: rounds in turn, the first to warm up; the figure is the median of the rounds' ratios. */
export async function contend(ours: Server, bare: Server, contest: Contest): Promise<string[]> {
  const { name, headers, least } = contest;
  const asked = { connections: CONNECTIONS, seconds: SECONDS, headers };
  const rounds: { ours: Figures; bare: Figures; load: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const figures = { bare: await measureServer(bare, asked), ours: await measureServer(ours, asked) };
    if (round > 0) rounds.push({ ...figures, load: loadavg()[0] ?? 0 });
  }
  console.log(`\n${name}: requests a second, ${ROUNDS} rounds of ${SECONDS} s in turn`);
  console.table(
    rounds.map(({ ours, bare, load: busy }) => ({
      ours: Math.round(ours.perSecond),
      bare: Math.round(bare.perSecond),
      ratio: Number((ours.perSecond / bare.perSecond).toFixed(2)),
      "ours, µs of CPU": Number(ours.cpuMicros.toFixed(1)),
      "bare, µs of CPU": Number(bare.cpuMicros.toFixed(1)),
      load: Number(busy.toFixed(1)),
    })),
  );
  const ratio = medianOf(rounds.map((round) => round.ours.perSecond / round.bare.perSecond));
  const isMet = ratio >= least;
  console.log(
    `${isMet ? "met   " : "MISSED"} ${name}: ${ratio.toFixed(2)} of the bare route (must ${least})`,
  );
  return isMet ? [] : [`${name}: ${ratio.toFixed(2)} of the bare route, under ${least}`];
}

/** Publishes a story whose page is close to 30 KB; tells its path. */
export async function publishStory(service: RealService, url: string): Promise<string> {
  const { token } = await enrolAgent(service.deps, url, "page-bench");
  const call = async (method: "GET" | "POST" | "PATCH", path: string, body?: object, ifMatch?: number) => {
    const key = method === "POST" ? randomUUID() : undefined;
    const reply = await send(url, { method, path: `/api/v1${path}`, token, key, ifMatch, body });
    return checked(reply);
  };
  const before = await call("GET", "/agent/profile");
  const saved = await call("PATCH", "/agent/profile", { display_name: "Tide Watch" }, before.lock_version);
  await call("POST", "/agent/profile/publish", { revision_id: saved.draft.revision_id }, saved.lock_version);
  const paragraph = "The gauge at the northern quay rose by 1.2 m within six hours, *as forecast*. ".repeat(
    5,
  );
  let body_markdown = "";
  while (body_markdown.length < PAGE_BYTES - 6_000) body_markdown += `${paragraph}\n\n`;
  const payload = { title: "November surge", body_markdown };
  const made = await call("POST", "/creations", { type: "story", payload });
  const order = { revision_id: made.latest_revision.id };
  await call("POST", `/creations/${made.id}/publish`, order, made.lock_version);
  return `/@page-bench/${made.slug}`;
}

function checked(reply: HttpReply) {
  if (reply.status >= 300) throw new Error(`preparing answered ${reply.status}: ${reply.text}`);
  return reply.json.data;
}
