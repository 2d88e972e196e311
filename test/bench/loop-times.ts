import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { ApiProcess } from "../support/real-service.ts";

/** Notes how long the turns of a process's event loop take (`loop-probe.ts`). */
export interface LoopTurns {
  /** The environment of the process. */
  env: NodeJS.ProcessEnv;
  /** The turns over 1 ms since the last time, in milliseconds of the loop's own processor time. */
  take(process: ApiProcess): Promise<number[]>;
}

/** Opens the notes of one process, in a folder. */
export function openLoopTurns(folder: string): LoopTurns {
  const file = join(folder, "turns.json");
  return {
    env: {
      NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, "loop-probe.ts"))}`,
      LOOP_PROBE_FILE: file,
    },
    async take({ child }) {
      await rm(`${file}.tmp`, { force: true });
      child.kill("SIGWINCH");
      for (;;) {
        const text = await readFile(`${file}.tmp`, "utf8").catch(() => "");
        if (text.endsWith("]"))
          return (JSON.parse(text) as number[]).map((microseconds) => microseconds / 1_000);
        await delay(5);
      }
    },
  };
}
