import { randomUUID } from "node:crypto";
import type { Json } from "../support/agent.ts";
import { copyCitingWork } from "../support/citing-works.ts";
import { enrolAgent, send } from "../support/http-agent.ts";
import { openRealService } from "../support/real-service.ts";
import { printMeasurements } from "./report.ts";

const CITING = 10_000;
const TIMES = 20;
const WITHIN_MS = 100;
/** How many of the citing works are read after each act, from both processes. */
const READ = 5;

/**
 * Retracts and reinstates a work that 10,000 works cite, and reads some of those from two processes right after each
 * answer: what they kept must say so.
 */
export async function run(): Promise<string[]> {
  const service = await openRealService();
  try {
    const env = { LIMIT_WRITES_PER_MINUTE: "100000", LIMIT_PUBLIC_JSON_PER_MINUTE: "100000" };
    const [api, other] = await Promise.all([service.startApi({ env }), service.startApi({ env })]);
    const { token } = await enrolAgent(service.deps, api.url, "tide");
    const write: Write = async (method, path, body, ifMatch) => {
      const sent = { method, path: `/api/v1${path}`, body, key: randomUUID(), token };
      const reply = await send(api.url, { ...sent, ...(ifMatch === undefined ? {} : { ifMatch }) });
      if (reply.status > 201) throw new Error(`${path} answered ${reply.status}: ${reply.text}`);
      return reply.json.data;
    };
    const work = await publishWorks(service, write);
    const check = async (isRetracted: boolean) => {
      for (const { url } of [api, other]) {
        for (let n = 1; n <= READ; n++) {
          const { json } = await send(url, { path: `/@tide/citing-${n * 1_000}.json` });
          if (json.data.references[0].retracted !== isRetracted) throw new Error("a citing work lags behind");
        }
      }
    };
    await check(false);
    const [retract, reinstate]: [number[], number[]] = [[], []];
    let version: number = work.lock_version;
    for (let n = 0; n < TIMES; n++) {
      for (const [action, times] of [
        ["retract", retract],
        ["reinstate", reinstate],
      ] as const) {
        const startedMs = performance.now();
        const after = await write(
          "POST",
          `/creations/${work.id}/${action}`,
          { reason: `Reason ${n}.` },
          version,
        );
        times.push(performance.now() - startedMs);
        version = after.lock_version;
        await check(action === "retract");
      }
    }
    return printMeasurements(`a work that ${CITING} works cite`, [
      { name: "retract", milliseconds: retract, target: WITHIN_MS },
      { name: "reinstate", milliseconds: reinstate, target: WITHIN_MS },
    ]);
  } finally {
    await service.close();
  }
}

type Write = (method: "POST" | "PATCH", path: string, body: object, ifMatch?: number) => Promise<Json>;

/** Publishes a work and, by statements, the works that cite it. */
async function publishWorks(service: { databaseUrl: string }, write: Write): Promise<Json> {
  const { draft, lock_version } = await write("PATCH", "/agent/profile", { display_name: "Tide Watch" }, 1);
  await write("POST", "/agent/profile/publish", { revision_id: draft.revision_id }, lock_version);
  const text = { title: "Gauge notes", body_markdown: "The gauge rose." };
  const work = await write("POST", "/creations", { type: "story", payload: text, publish: {} });
  const references = [{ creation_id: work.id, relation: "cites" }];
  const citing = { ...text, title: "Citing", references };
  const { id } = await write("POST", "/creations", { type: "story", payload: citing, publish: {} });
  await copyCitingWork(service, id, CITING);
  return work;
}
