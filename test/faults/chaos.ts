import type { ApiProcess, RealService } from "../support/real-service.ts";
import { readPostmasterPid, type ServiceProcess, until } from "../support/service-process.ts";

const BACK_WITHIN_MS = 60_000;

export type Victim = "API" | "workers" | "PostgreSQL";

/** A service of one API and one workers process that are started again whenever they were killed. */
export interface Chaos {
  url: string;
  /** kill -9 by process id; resolves with the signal it ended by once its successor is ready. */
  kill(victim: Victim): Promise<string | null>;
}

/** Starts the processes. */
export async function startChaos(service: RealService): Promise<Chaos> {
  let api: ApiProcess = await service.startApi();
  let workers: ServiceProcess = await service.startWorkers();
  const port = Number(new URL(api.url).port);
  return {
    url: api.url,
    async kill(victim) {
      if (victim === "PostgreSQL") return await killPostgres(service);
      const dying = victim === "API" ? api : workers;
      process.kill(dying.pid, "SIGKILL");
      const { signal } = await dying.ended;
      if (victim === "API") api = await service.startApi({ port });
      else workers = await service.startWorkers();
      return signal;
    },
  };
}

/** Its watchdog starts it again, on the same port, and says by which signal it ended. */
export async function killPostgres(service: RealService): Promise<string | null> {
  const pid = await readPostmasterPid(service.dataDir);
  const said = service.watchdogLog.length;
  process.kill(pid, "SIGKILL");
  const linesSince = () => service.watchdogLog.slice(said);
  await until(() => linesSince().some((line) => line.startsWith("PostgreSQL is back")), BACK_WITHIN_MS);
  const ended = linesSince().find((line) => line.startsWith("PostgreSQL ended by itself"));
  return /\(signal (\w+)\)/.exec(ended ?? "")?.[1] ?? null;
}
