import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { announceUrl, withdrawUrl } from "../embedded/credentials.ts";
import { type EmbeddedOptions, type EmbeddedPostgres, startEmbeddedPostgres } from "../embedded/postgres.ts";
import type { Shell } from "./shell.ts";

const LONGEST_PAUSE_MS = 5000;
const FLAPPING_BELOW_MS = 10_000;

/** A PostgreSQL that comes back when it dies, on the same socket. */
export type KeptPostgres = Awaited<ReturnType<typeof keepPostgres>>;

/** What a PostgreSQL is kept with. */
export interface KeepingTask extends Required<Pick<EmbeddedOptions, "dataDir" | "log" | "settings">> {
  announce: boolean;
  shell: Shell;
  onLost: (error: Error) => void;
}

/** Starts the PostgreSQL of a data folder and keeps it running until stop; throws a Refusal. */
export async function keepPostgres(task: KeepingTask, signal?: AbortSignal) {
  const stopping = new AbortController();
  const giveUp = () => stopping.abort();
  signal?.addEventListener("abort", giveUp);
  if (signal?.aborted) giveUp();
  try {
    const running = await start(task, undefined, stopping.signal);
    const { url, adminUrl, pid } = running;
    const keeping = keep(task, running, stopping.signal).catch((error) => {
      if (!stopping.signal.aborted) task.onLost(error);
    });
    return {
      /** As it was started. */
      database: { url, adminUrl, pid },
      stop: async () => {
        stopping.abort();
        await keeping;
        if (task.announce) await withdrawUrl(task.dataDir);
      },
    };
  } finally {
    signal?.removeEventListener("abort", giveUp);
  }
}

async function keep(task: KeepingTask, first: EmbeddedPostgres, stopping: AbortSignal): Promise<void> {
  const stopped = untilAborted(stopping);
  let running = first;
  let pauseMs = 0;
  for (;;) {
    const startedAt = performance.now();
    const how = await Promise.race([running.ended, stopped]);
    if (stopping.aborted) return await running.stop();
    task.log(`PostgreSQL ended by itself (${how}): starting it again`);
    pauseMs =
      performance.now() - startedAt > FLAPPING_BELOW_MS ? 0 : Math.min(pauseMs * 2 + 100, LONGEST_PAUSE_MS);
    await delay(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
    if (stopping.aborted) return;
    running = await start(task, running.socketFolder, stopping);
    task.log(`PostgreSQL is back as process ${running.pid}`);
  }
}

async function start(
  { dataDir, announce, settings, shell, log }: KeepingTask,
  socketFolder: string | undefined,
  signal: AbortSignal,
): Promise<EmbeddedPostgres> {
  const running = await startEmbeddedPostgres({
    ...{ dataDir, settings, log, signal, socketFolder },
    onSpawned: (identity) => shell.keep(identity),
  });
  if (announce) await announceUrl(dataDir, running.url);
  return running;
}

async function untilAborted(signal: AbortSignal): Promise<string> {
  if (!signal.aborted) await once(signal, "abort");
  return "stopped";
}
