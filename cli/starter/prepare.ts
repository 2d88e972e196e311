import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import type { FirstStart } from "../../shared/identity/owners/first-owner.ts";
import { refuseToRun } from "../refusal.ts";
import type { ServiceOptions } from "../supervisor/supervisor.ts";

const PROGRAM = join(import.meta.dirname, "preparation.ts");

/** What npm start itself needs to know of the configuration. */
export type StarterConfig = ServiceOptions["config"] & { siteUrl: string };

/** The messages to the process that prepares; it answers each, and tells the configuration at first. */
export interface ToPreparation {
  step: "migrate" | "first-start";
  databaseUrl: string;
}

/** Its answers. */
export type FromPreparation = { type: "done"; result: unknown } | { type: "failed"; sentence: string };

/** The process that does what a start does once. */
export interface Preparation {
  config: StarterConfig;
  /** Makes the keys, and brings the database to the newest schema. */
  migrate(databaseUrl: string): Promise<unknown>;
  /** Makes the first owner of a database that has none; null at every later start. */
  prepareFirstStart(databaseUrl: string): Promise<FirstStart | null>;
  /** Lets the process end. */
  end(): void;
}

/** Starts the process and reads the configuration; throws a Refusal that names what is wrong with it. */
export async function openPreparation(): Promise<Preparation> {
  const child = spawn(process.execPath, [PROGRAM], {
    // Its own session: Ctrl-C goes to this process alone.
    detached: true,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ask = async (message: ToPreparation) => {
    const answer = nextAnswer(child);
    child.send(message, () => undefined);
    return await answer;
  };
  return {
    config: (await nextAnswer(child)) as StarterConfig,
    migrate: (databaseUrl) => ask({ step: "migrate", databaseUrl }),
    prepareFirstStart: async (databaseUrl) =>
      (await ask({ step: "first-start", databaseUrl })) as FirstStart | null,
    end: () => {
      if (child.connected) child.disconnect();
      child.unref();
    },
  };
}

function nextAnswer(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const end = () => reject(refuseToRun("The process that prepares the start ended."));
    if (child.exitCode !== null || child.signalCode !== null) return end();
    child.once("error", reject);
    child.once("exit", end);
    child.once("message", (message: FromPreparation) => {
      child.off("error", reject);
      child.off("exit", end);
      if (message.type === "done") resolve(message.result);
      else reject(refuseToRun(message.sentence));
    });
  });
}
