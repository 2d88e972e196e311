import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { ulid } from "ulid";
import { buildApp } from "../../../api/app.ts";
import type { ListedRoute } from "../../../api/http/route-docs.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import { openMetrics } from "../../../shared/platform/telemetry/metrics.ts";
import type { Threads } from "../../../shared/platform/threads/open.ts";
import { CONFIG } from "./body-readers.ts";

/** The app, which lists its documented routes. The document needs no database: the rest of what a service works with is left out. */
export async function openApp(routes: ListedRoute[] = []): Promise<FastifyInstance> {
  const log = pino({ level: "silent" });
  const parts = {
    config: CONFIG,
    log,
    metrics: openMetrics(),
    redis: null,
    now: () => 0,
    newId: () => ulid(),
  };
  return await buildApp(parts as unknown as Deps, {} as Threads, { routes });
}

/** Every documented route of the app. */
export async function listRoutes(): Promise<ListedRoute[]> {
  const routes: ListedRoute[] = [];
  const app = await openApp(routes);
  await app.ready();
  await app.close();
  return routes;
}
