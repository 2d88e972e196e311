import { setTimeout as delay } from "node:timers/promises";
import { choosePort } from "../../../cli/embedded/port.ts";
import { WORKERS, type WorkerName } from "../../../shared/platform/jobs/catalogue.ts";
import { type Cable, openCable, socketOf } from "../../support/cable.ts";
import { makeLogKey } from "../../support/log.ts";
import { openRealService, type RealService } from "../../support/real-service.ts";
import { startRedis, type TestRedis } from "../../support/redis.ts";
import { type ServiceProcess, until } from "../../support/service-process.ts";
import { openSmallDisk, type SmallDisk } from "./disk.ts";

const OF_EACH = 2;
const STARTED_AT_ONCE = 3;
const READY_WITHIN_MS = 180_000;
/** Low enough for agents to reach them within a minute of play. */
export const CAPS = { creations: 12, files: 8, storageBytes: 6_000, publications: 6, updates: 8, tokens: 4 };

/** One process of the service, started again in its place whenever it was killed. */
export interface Place {
  name: string;
  kind: "API" | WorkerName;
  /** Of an API. */
  url: string | null;
  process: ServiceProcess;
  /** How far its clock is from the storm's. */
  skewMs: number;
  /** How it ended where nobody had killed it, with the last that it said. */
  endings: string[];
  /** kill -9; resolves with the signal it ended by, once its successor is ready. */
  kill(skewMs?: number): Promise<string | null>;
}

/** A whole service of many processes, with every cable in our hands. */
export interface Stack {
  service: RealService;
  redis: TestRedis;
  disk: SmallDisk;
  /** Between each side and what it leans on. */
  cables: Record<"API to PostgreSQL" | "workers to PostgreSQL" | "API to Redis" | "workers to Redis", Cable>;
  places: Place[];
  urls: string[];
  close(): Promise<string[]>;
}

/** Starts 2 APIs and 2 of each worker on one PostgreSQL and one Redis; all clocks are `clockOffsetMs` ahead. */
export async function openStack(clockOffsetMs: number): Promise<Stack> {
  const [redis, disk] = await Promise.all([startRedis(), openSmallDisk()]);
  const closing: (() => Promise<unknown>)[] = [() => redis.stop(), () => disk.close()];
  const close = async () => {
    for (const end of closing) await end();
  };
  try {
    const service = await openRealService({
      env: {
        ...{ UPLOAD_WAIT_MS: "500", FILES_URL: `file:${disk.folder}`, REDIS_URL: redis.url },
        LOG_KEY: makeLogKey(),
        ...{ NODE_ENV: "test", CLOCK_OFFSET_MS: String(clockOffsetMs) },
        ...disk.env,
        ...limits(),
      },
    });
    let orphans: string[] = [];
    closing.unshift(async () => {
      orphans = await service.close();
    });
    const cables = await openCables(service, redis);
    closing.push(() => Promise.all(Object.values(cables).map((cable) => cable.close())));
    const places = await openPlaces(service, cables, clockOffsetMs);
    const urls = places.flatMap(({ url }) => url ?? []);
    return { service, redis, disk, cables, places, urls, close: async () => close().then(() => orphans) };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openCables({ databaseUrl }: RealService, redis: TestRedis): Promise<Stack["cables"]> {
  const [database, { port }] = [socketOf(databaseUrl), redis];
  return {
    "API to PostgreSQL": await openCable(database),
    "workers to PostgreSQL": await openCable(database),
    "API to Redis": await openCable({ port }),
    "workers to Redis": await openCable({ port }),
  };
}

/** A few at a time: on two cores, all of them at once would take longer than any may. */
async function openPlaces(
  service: RealService,
  cables: Stack["cables"],
  clockOffsetMs: number,
): Promise<Place[]> {
  const envOf = (side: "API" | "workers") => (skewMs: number) => ({
    DATABASE_URL: throughCable(service.databaseUrl, cables[`${side} to PostgreSQL`]),
    REDIS_URL: `redis://127.0.0.1:${cables[`${side} to Redis`].port}`,
    CLOCK_OFFSET_MS: String(clockOffsetMs + skewMs),
  });
  const openings = Array.from({ length: OF_EACH }, (_, index) => [
    () => openApi(service, `API ${index + 1}`, envOf("API")),
    ...WORKERS.map((name) => () => openWorker(service, name, index + 1, envOf("workers"))),
  ]).flat();
  const places: Place[] = [];
  while (openings.length > 0) {
    const some = openings.splice(0, STARTED_AT_ONCE);
    places.push(...(await Promise.all(some.map((open) => open()))));
  }
  return places;
}

function limits(): NodeJS.ProcessEnv {
  return {
    LIMIT_CREATIONS: String(CAPS.creations),
    LIMIT_FILES: String(CAPS.files),
    LIMIT_STORAGE_BYTES: String(CAPS.storageBytes),
    LIMIT_PUBLICATIONS_PER_DAY: String(CAPS.publications),
    LIMIT_UPDATES_PER_DAY: String(CAPS.updates),
    LIMIT_TOKENS_PER_AGENT: String(CAPS.tokens),
  };
}

type Env = (skewMs: number) => NodeJS.ProcessEnv;

async function openApi(service: RealService, name: string, env: Env): Promise<Place> {
  const port = await choosePort();
  const url = `http://127.0.0.1:${port}`;
  return await openPlace({ name, kind: "API", url }, (skewMs) =>
    startAgain(() => service.startApi({ port, env: env(skewMs) })),
  );
}

async function openWorker(service: RealService, kind: WorkerName, number: number, env: Env): Promise<Place> {
  return await openPlace({ name: `${kind} ${number}`, kind, url: null }, (skewMs) =>
    startAgain(() => service.startWorkers([kind], env(skewMs))),
  );
}

async function openPlace(
  named: Pick<Place, "name" | "kind" | "url">,
  start: (skewMs: number) => Promise<ServiceProcess>,
): Promise<Place> {
  const place: Place = {
    ...named,
    process: await start(0),
    skewMs: 0,
    endings: [],
    async kill(skewMs = place.skewMs) {
      if (hasEnded(place)) place.endings.push(describeEnd(place));
      place.process.child.kill("SIGKILL");
      const { signal } = await place.process.ended;
      place.skewMs = skewMs;
      place.process = await start(skewMs);
      return signal;
    },
  };
  return place;
}

function hasEnded({ process: { child } }: Place): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function describeEnd({ name, process: { child, lines, stderr } }: Place): string {
  // A failure that ends a process lets its other requests end, which say so behind it.
  const last = (lines.find(({ level }) => level === "fatal") ?? lines.at(-1))?.text ?? "";
  return `${name} ended by itself, ${child.exitCode ?? child.signalCode}: ${last.slice(0, 2_000)} ${stderr().slice(-800)}`;
}

/** A process whose database is away as it starts ends with an error, as its supervisor expects, and is started again. */
async function startAgain(start: () => Promise<ServiceProcess>): Promise<ServiceProcess> {
  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    try {
      return await start();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(200);
    }
  }
}

/** Waits until every API says that it is ready; one that ended though nobody killed it never does. */
export async function waitUntilReady(places: readonly Place[]): Promise<void> {
  for (const place of places) {
    if (place.url === null) continue;
    const { url } = place;
    const isReady = async () => {
      if (hasEnded(place)) throw new Error(describeEnd(place));
      return (await fetch(`${url}/readyz`).catch(() => null))?.status === 200;
    };
    await until(isReady, READY_WITHIN_MS);
  }
}

function throughCable(address: string, { port }: Cable): string {
  return Object.assign(new URL(address), { host: `127.0.0.1:${port}` }).href;
}
