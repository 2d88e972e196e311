// What agents read most, beside a bare route of Fastify that reads one row with one statement of pg.

import { openPublisher } from "../support/publisher.ts";
import { openRealService } from "../support/real-service.ts";
import { contend } from "./contest.ts";
import { startPeer } from "./peers.ts";

/** As many as a page of a list has. */
const WORKS = 20;

/** Measures an agent's own state, a list and a work, and a search that readers ask for again. */
export async function run(): Promise<string[]> {
  const service = await openRealService();
  try {
    const api = await service.startApi({ env: { LOG_LEVEL: "info" } });
    const { call, token } = await openPublisher(service.deps, api.url, "reads-bench");
    let workId = "";
    for (let n = 0; n < WORKS; n++) {
      const payload = { title: `Levels ${n}`, body_markdown: "The gauge rose. ".repeat(60) };
      const body = { type: "story", payload, publish: n < WORKS / 2 ? {} : undefined };
      workId = (await call({ method: "POST", path: "/api/v1/creations", body })).id;
    }
    api.dropOutput();
    const bare = await startPeer("bare-server.ts", [service.databaseUrl]);
    try {
      const peer = `${bare.url}/row`;
      const headers = [`Authorization: Bearer ${token}`];
      const missed: string[] = [];
      for (const [name, path, least] of [
        ["GET /agent", "/agent", 0.25],
        [`GET /creations with ${WORKS} works`, `/creations?per_page=${WORKS}`, 0.15],
        ["GET /creations/:id", `/creations/${workId}`, 0.2],
        ["a search, asked again", "/search/creations?query=levels", 0.25],
      ] as const) {
        const ours = `${api.url}/api/v1${path}`;
        missed.push(...(await contend(ours, peer, { name, headers, least })));
      }
      return missed;
    } finally {
      await bare.close();
    }
  } finally {
    await service.close();
  }
}
