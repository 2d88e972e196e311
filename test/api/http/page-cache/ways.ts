import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { buildApp } from "../../../../api/app.ts";
import type { LoadLimits } from "../../../../api/http/places.ts";
import { closeDeps, type Deps, openDeps } from "../../../../shared/platform/deps.ts";
import {
  connectAuthor,
  type Json,
  makeCreation,
  publishNew,
  type TestAgent,
} from "../../../support/agent.ts";
import { closeAfterwards } from "../../../support/close-afterwards.ts";
import { exchange } from "../../../support/exchange.ts";
import { captureLog } from "../../../support/log-lines.ts";
import { openService, type TestService } from "../../../support/service.ts";

/** A process of the interface whose state a test sets. */
export interface Way {
  deps: Deps;
  port: number;
  state: { isStopping: boolean; isCutOff: boolean };
  logLines(): Record<string, unknown>[];
  close(): Promise<void>;
}

/** One process that caches pages and one that does not, on one database with published works. */
export interface Ways {
  service: TestService;
  tide: TestAgent;
  ids: Record<"story" | "quiet" | "hidden", string>;
  caching: Way;
  uncached: Way;
}

/** Opens both. */
export async function openWays(): Promise<Ways> {
  const service = await openService({ workers: false });
  const tide = await connectAuthor(service, {
    handle: "tide",
    sections: [{ slug: "north", name: "The north" }],
  });
  const make = async (slug: string, body: object = {}, how: object = {}): Promise<Json> =>
    await publishNew(tide, { slug, ...body }, how);
  const story = await make("story", { section: "north" });
  const quiet = await make("quiet", {}, { visibility: "unlisted" });
  const hidden = await make("hidden");
  await makeCreation(tide, { slug: "draft" });
  const [caching, uncached] = await Promise.all([openWay(service), openWay(service, { pageCacheBytes: 0 })]);
  return {
    ...{ service, tide, caching, uncached },
    ids: { story: story.id, quiet: quiet.id, hidden: hidden.id },
  };
}

/** Opens a further process of the interface on the database of a service. */
export async function openWay(
  service: TestService,
  { pageCacheBytes, load }: { pageCacheBytes?: number; load?: Partial<LoadLimits> } = {},
): Promise<Way> {
  const { log, lines } = captureLog("info");
  const { databaseUrl, clock } = service;
  const { config } = service.deps;
  const mostBytes = pageCacheBytes ?? config.limits.pageCacheBytes;
  const state = { isStopping: false, isCutOff: false };
  const deps = await openDeps(
    { ...config, limits: { ...config.limits, pageCacheBytes: mostBytes } },
    { ...{ databaseUrl, works: false, maxConnections: 4, log }, now: () => clock.nowMs },
  );
  const { pageVersions } = deps;
  const cutOff: Deps["pageVersions"] = {
    ...pageVersions,
    read: (...asked) =>
      state.isCutOff ? Promise.reject(new Error("no version")) : pageVersions.read(...asked),
  };
  const app: FastifyInstance = await buildApp({ ...deps, pageVersions: cutOff }, service.threads, {
    stopping: Object.defineProperty(new AbortController(), "signal", {
      get: () => (state.isStopping ? AbortSignal.abort() : new AbortController().signal),
    }),
    load: { reads: 1e6, writes: 1e6, ...load },
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const close = closeAfterwards(async () => {
    await app.close();
    await closeDeps(deps);
  });
  return {
    deps,
    port: (app.server.address() as AddressInfo).port,
    state,
    logLines: lines,
    close,
  };
}

/** What a request got: its status, and its bytes without what is its own. */
export interface Outcome {
  bytes: string;
  status: number;
}

/** Sends a request to a process. */
export async function send(way: Way, bytes: string, answers = 1): Promise<Outcome> {
  const came = await exchange(way.port, bytes, answers);
  const status = Number(/(?:^|\r\n\r\n)HTTP\/1\.1 ([2-5]\d\d)/.exec(came)?.[1] ?? 0);
  return { bytes: mask(came), status };
}

function mask(bytes: string): string {
  return bytes
    .replace(/^(x-request-id: )[0-9A-Z]{26}/gim, "$1ID")
    .replace(/("request_id":")[0-9A-Z]{26}/g, "$1ID")
    .replace(/^(date: ).*/gim, "$1DATE");
}

/** Requests that a process counted, and answers that it timed, by their labels. */
export async function readCounts({ deps }: Way): Promise<string[]> {
  const lines = (await deps.metrics.registry.metrics()).split("\n");
  return lines.filter((line) => /^broadsheet_http_request(s_total|_seconds_count)\{/.test(line)).sort();
}

/** The lines that a process wrote for requests, without times and ids. */
export function readLog(way: Way): Record<string, unknown>[] {
  const lines = way.logLines().filter(({ msg }) => !String(msg).startsWith("Server listening"));
  const told = lines.map(({ time: _time, request_id: _id, took_ms: _took, err, ...line }) => ({
    ...line,
    ...(err === undefined ? {} : { err: (err as { message: string }).message }),
  }));
  // Requests that a client sends without waiting are logged as they are answered.
  return told.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}
