import type { ProcessIdentity } from "../../shared/process/processes.ts";

/** The task of a watchdog. */
export interface WatchdogTask {
  /** The real path of an existing data folder. */
  dataDir: string;
  /** False where PostgreSQL is not ours: the watchdog then looks after the watched processes only. */
  postgres: boolean;
  /** Whether other commands may find the database through the data folder. */
  announce: boolean;
  /** Whether the data folder goes away at the end (tests). */
  temporary: boolean;
  settings: Record<string, string>;
  /** The port of the watchdog before, so that addresses stay valid. */
  port: number | null;
}

/** The messages of the parent to its watchdog. */
export type ToWatchdog =
  | { type: "start"; task: WatchdogTask }
  | { type: "watch"; identity: ProcessIdentity }
  | { type: "unwatch"; pid: number }
  | { type: "stop" };

/** The database, as the watchdog reports it; null where it has none. */
export interface WatchedDatabase {
  url: string;
  adminUrl: string;
  port: number;
  pid: number;
}

/** The messages of a watchdog to its parent. */
export type FromWatchdog =
  | { type: "ready"; database: WatchedDatabase | null }
  | { type: "back"; database: WatchedDatabase }
  | { type: "failed"; message: string }
  | { type: "log"; message: string };
