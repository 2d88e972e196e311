import type { ProcessIdentity } from "../supervisor/processes.ts";

/** What a watchdog looks after. */
export interface WatchdogTask {
  /** The real path of an existing data folder. */
  dataDir: string;
  /** False where PostgreSQL is somebody else's: then only the watched processes are looked after. */
  postgres: boolean;
  /** Whether other commands may find the database through the data folder. */
  announce: boolean;
  /** Whether the data folder goes away at the end (tests). */
  temporary: boolean;
  settings: Record<string, string>;
  /** The port of a watchdog before, so that addresses stay true. */
  port: number | null;
}

/** What the parent tells its watchdog. */
export type ToWatchdog =
  | { type: "start"; task: WatchdogTask }
  | { type: "watch"; identity: ProcessIdentity }
  | { type: "unwatch"; pid: number }
  | { type: "stop" };

/** The database as the watchdog tells of it; null where it looks after none. */
export interface WatchedDatabase {
  url: string;
  adminUrl: string;
  port: number;
  pid: number;
}

/** What a watchdog tells its parent. */
export type FromWatchdog =
  | { type: "ready"; database: WatchedDatabase | null }
  | { type: "back"; database: WatchedDatabase }
  | { type: "failed"; message: string }
  | { type: "log"; message: string };
