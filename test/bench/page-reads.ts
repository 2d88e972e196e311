// A cached page, its 304 and its public JSON, beside a bare route of Fastify that gives the same bytes from memory.

import { openPublisher } from "../support/publisher.ts";
import { openRealService } from "../support/real-service.ts";
import { contend } from "./contest.ts";
import { startPeer } from "./peers.ts";

const PARAGRAPH = "The gauge at the northern quay rose by 1.2 m within six hours, *as forecast*. ".repeat(5);
/** A page of some 30 KB. */
const TEXT = `${PARAGRAPH}\n\n`.repeat(60);
/** Of what a bare route answers: a page is looked up at every request, and logged. */
const LEAST = 0.25;

/** Measures all three under several connections; both sides are processes of their own. */
export async function run(): Promise<string[]> {
  const service = await openRealService();
  try {
    const api = await service.startApi({ env: { LOG_LEVEL: "info" } });
    const publisher = await openPublisher(service.deps, api.url, "page-bench");
    const path = new URL((await publisher.publishStory("November surge", TEXT)).public_url).pathname;
    api.dropOutput();
    const bare = await startPeer("bare-server.ts", [service.databaseUrl]);
    try {
      const missed: string[] = [];
      for (const [name, url] of [
        ["page", `${api.url}${path}`],
        ["JSON", `${api.url}${path}.json`],
      ] as const) {
        const etag = await copyAnswer(url, bare.url);
        const peer = `${bare.url}/copy`;
        missed.push(...(await contend(url, peer, { name, least: LEAST })));
        if (name === "JSON") continue;
        const headers = [`If-None-Match: ${etag}`];
        missed.push(...(await contend(url, peer, { name: "304 of the page", headers, least: LEAST })));
      }
      return missed;
    } finally {
      await bare.close();
    }
  } finally {
    await service.close();
  }
}

/** Gives the bare route the same answer; returns its ETag. */
async function copyAnswer(url: string, bareUrl: string): Promise<string> {
  const answer = await fetch(url);
  const [etag, type] = [answer.headers.get("etag") ?? "", answer.headers.get("content-type") ?? ""];
  const body = JSON.stringify({ etag, type, body: await answer.text() });
  await fetch(`${bareUrl}/copy`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  return etag;
}
