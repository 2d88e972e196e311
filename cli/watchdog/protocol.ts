import type { ProcessIdentity } from "../supervisor/processes.ts";

/** What a guardian looks after. */
export interface GuardianTask {
  /** The real path of an existing data folder. */
  dataDir: string;
  /** False where PostgreSQL is somebody else's: then only the watched processes are looked after. */
  postgres: boolean;
  /** Whether other commands may find the database through the data folder. */
  announce: boolean;
  /** Whether the data folder goes away at the end (tests). */
  temporary: boolean;
  settings: Record<string, string>;
  /** The port of a guardian before, so that addresses stay true. */
  port: number | null;
}

/** What the parent tells its guardian. */
export type ToGuardian =
  | { type: "start"; task: GuardianTask }
  | { type: "watch"; identity: ProcessIdentity }
  | { type: "unwatch"; pid: number }
  | { type: "stop" };

/** The database as the guardian tells of it; null where it looks after none. */
export interface GuardedDatabase {
  url: string;
  adminUrl: string;
  port: number;
  pid: number;
}

/** What a guardian tells its parent. */
export type FromGuardian =
  | { type: "ready"; database: GuardedDatabase | null }
  | { type: "back"; database: GuardedDatabase }
  | { type: "failed"; message: string }
  | { type: "log"; message: string };
