import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRandom } from "../shared/tables/inspection/generated.ts";
import { treeHashes, verifySignedNote } from "../shared/text/transparency-log/oracle/verify-log.ts";
import { send } from "../support/http-agent.ts";
import { makeLogKey } from "../support/log.ts";
import { openPublisher } from "../support/publisher.ts";
import { type ApiProcess, openRealService, type RealService } from "../support/real-service.ts";
import { publishUntil, readServedLog, readServedSize } from "../support/served-log.ts";
import { type ServiceProcess, until } from "../support/service-process.ts";
import { runSql } from "../support/tables.ts";
import { killPostgres } from "./chaos.ts";

// FAULT_MINUTES: how long in all; FAULT_SEED: the same kills again.
const MINUTES = Number(process.env.FAULT_MINUTES ?? 0);
const LASTS_MS = MINUTES > 0 ? MINUTES * 60_000 : 60_000;
/** A worker starts in a second and takes a step of the log in a hundredth of one. */
const KILL_WITHIN_MS = 700;
const WRITERS = 2;
/** PostgreSQL is killed once in so many kills. */
const POSTGRES_EVERY = 8;
const LOGGED_WITHIN_MS = 5_000;

const seed = Number(process.env.FAULT_SEED ?? randomInt(2 ** 31));
const random = createRandom(seed);
let service: RealService;
let api: ApiProcess;
let workers: ServiceProcess[];
let isOver = false;
/** Every checkpoint that a reader was shown, by its text. */
const seen = new Set<string>();
/** Every publication that was answered with success. */
const published: { creation: string; revision: number }[] = [];
let kills = 0;

beforeAll(async () => {
  console.log(`FAULT_SEED=${seed} plays the same kills again`);
  service = await openRealService({
    env: {
      LOG_KEY: makeLogKey(),
      LIMIT_PUBLICATIONS_PER_DAY: "1000000",
      LIMIT_CREATIONS: "1000000",
      LIMIT_LOG_PER_MINUTE: "1000000",
    },
  });
  api = await service.startApi();
  workers = [await service.startWorkers(["deliver"]), await service.startWorkers(["deliver"])];
});
afterAll(async () => {
  expect(await service.close()).toEqual([]);
});

test("whatever is killed, all checkpoints that anybody saw are of one list, which has each publication once", {
  timeout: LASTS_MS + 240_000,
}, async () => {
  const parties = [watch(), ...Array.from({ length: WRITERS }, (_, at) => writeOn(`writer-${at + 1}`))];
  await killOn();
  isOver = true;
  await Promise.all(parties);
  expect(published.length).toBeGreaterThan(20);
  // Both workers live again, so what was answered last is in within five seconds.
  await until(async () => (await readServedSize(api.url)) >= published.length, LOGGED_WITHIN_MS);
  const { entries, vkey } = await readServedLog(api.url);
  expect(entries.length).toBe(await countPublications());
  expect(findDifference(entries)).toEqual([]);
  const heads = [...seen].map((note) => verifySignedNote(note, vkey).split("\n"));
  const roots = treeHashes(
    entries,
    heads.map(([, size]) => Number(size)),
  );
  for (const [origin, size, root] of heads) {
    expect([origin, size, root]).toEqual([
      "localhost:3000/log",
      size,
      roots.get(Number(size))?.toString("base64"),
    ]);
  }
  console.log(`${entries.length} entries, ${seen.size} checkpoints seen, ${kills} kills`);
  expect(seen.size).toBeGreaterThan(5);
});

/** Kills a worker or PostgreSQL at random moments. */
async function killOn(): Promise<void> {
  const endMs = performance.now() + LASTS_MS;
  while (performance.now() < endMs) {
    await delay(random() * KILL_WITHIN_MS);
    kills++;
    if (kills % POSTGRES_EVERY === 0) {
      expect(await killPostgres(service)).toBe("SIGKILL");
      continue;
    }
    const at = Math.floor(random() * workers.length);
    const worker = workers[at];
    worker?.child.kill("SIGKILL");
    expect((await worker?.ended)?.signal).toBe("SIGKILL");
    workers[at] = await startAgain();
  }
}

/** A worker whose database is away as it starts ends, and its supervisor starts it again. */
async function startAgain(): Promise<ServiceProcess> {
  for (;;) {
    const started = await service.startWorkers(["deliver"]).catch(() => null);
    if (started !== null) return started;
    await delay(200);
  }
}

/** Keeps every checkpoint that is shown. */
async function watch(): Promise<void> {
  while (!isOver) {
    const reply = await send(api.url, { path: "/log/checkpoint" }).catch(() => null);
    if (reply?.status === 200) seen.add(reply.text);
    await delay(10);
  }
}

async function writeOn(handle: string): Promise<void> {
  const { token } = await openPublisher(service.deps, api.url, handle);
  await publishUntil(() => isOver, { url: api.url, token, onPublished: (one) => published.push(one) });
}

async function countPublications(): Promise<number> {
  const [row] = await runSql(service, "SELECT count(*) FROM creation_revisions WHERE state = 'published'");
  return Number(row.count);
}

/** What was answered and is not an entry, and what is an entry twice. */
function findDifference(entries: readonly Buffer[]): string[] {
  const found = new Map<string, number>();
  for (const entry of entries) {
    const { creation, revision } = JSON.parse(entry.toString());
    const name = `${creation} ${revision}`;
    found.set(name, (found.get(name) ?? 0) + 1);
  }
  const missing = published
    .map(({ creation, revision }) => `${creation} ${revision}`)
    .filter((name) => !found.has(name));
  return [...missing, ...[...found].filter(([, count]) => count > 1).map(([name]) => name)];
}
