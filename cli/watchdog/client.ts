import { rm } from "node:fs/promises";
import type { ProcessIdentity } from "../../shared/platform/process/processes.ts";
import { type KeptPostgres, keepPostgres } from "./keep-postgres.ts";
import { openShell, type Shell } from "./shell.ts";

// A shell is tied to this process by a pipe: when this process dies, in whatever way, the kernel closes the pipe, and the
// shell ends the watched processes and PostgreSQL. This process brings PostgreSQL back when that dies, and starts another
// shell when the first one dies. Both killed at once: the closed pipes end the children, and PostgreSQL runs on until the
// next start, which ends it first.

/** The options of startWatchdog. */
export interface WatchdogOptions {
  /** The real path of an existing data folder, whose lock this process holds, or which nobody else knows. */
  dataDir: string;
  /** False where PostgreSQL is not ours: the watchdog then looks after the watched processes only. */
  postgres?: boolean;
  /** Whether other commands may find the database through the data folder. */
  announce?: boolean;
  /** Whether the data folder goes away at the end (tests). */
  temporary?: boolean;
  settings?: Record<string, string>;
  log: (message: string, level?: "info" | "warn") => void;
  /** Called when neither the watchdog nor a successor can keep PostgreSQL running. */
  onLost: (error: Error) => void;
  /** When aborted, the start stops. */
  signal?: AbortSignal | undefined;
}

/** The handle of a watchdog and of the PostgreSQL that it ends. */
export type Watchdog = Awaited<ReturnType<typeof startWatchdog>>;

/** Starts a watchdog (design: parent and children) and waits until its database answers; throws a Refusal. */
export async function startWatchdog(options: WatchdogOptions) {
  const { dataDir, announce = false, temporary = false, log, onLost } = options;
  const held: Held = { shell: null, postgres: null };
  const stop = () => stopAll(held, temporary ? dataDir : null);
  try {
    const shell = await openShell({ dataDir, announce, temporary }, { log, onLost });
    held.shell = shell;
    if (options.postgres ?? true) {
      const task = { dataDir, announce, settings: options.settings ?? {}, shell, log, onLost };
      held.postgres = await keepPostgres(task, options.signal);
    }
    return {
      /** The database; null where the watchdog has none. */
      database: held.postgres?.database ?? null,
      /** Makes the watchdog end the process too, if this process is killed. */
      watch: (identity: ProcessIdentity) => shell.watch(identity),
      unwatch: ({ pid }: ProcessIdentity) => shell.unwatch(pid),
      /** Stops PostgreSQL and the watchdog. */
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Held {
  shell: Shell | null;
  postgres: KeptPostgres | null;
}

async function stopAll({ shell, postgres }: Held, folder: string | null): Promise<void> {
  await postgres?.stop();
  await shell?.stop();
  if (folder !== null) await rm(folder, { recursive: true, force: true });
}
