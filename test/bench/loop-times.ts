import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { ApiProcess } from "../support/real-service.ts";

/** What took the event loop more than 1 ms, in milliseconds of its own processor time. */
export interface LoopTimes {
  /** Callbacks, each with what its promises bring. */
  tasks: number[];
  /** Turns of the loop: all tasks that were ready together. */
  turns: number[];
}

/** Notes how long the event loop of a process is held (`loop-probe.ts`). */
export interface LoopProbe {
  /** The environment of the process. */
  env: NodeJS.ProcessEnv;
  /** The times since the last time. */
  take(process: ApiProcess): Promise<LoopTimes>;
}

/** Opens the notes of one process, in a folder. */
export function openLoopProbe(folder: string): LoopProbe {
  const file = join(folder, "loop.json");
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
        if (text.endsWith("}")) return toMilliseconds(JSON.parse(text) as LoopTimes);
        await delay(5);
      }
    },
  };
}

/** The longest of the times; 0 where none was over 1 ms. */
export const longestOf = (times: readonly number[]): number => Math.max(0, ...times);

function toMilliseconds({ tasks, turns }: LoopTimes): LoopTimes {
  const convert = (times: number[]) => times.map((microseconds) => microseconds / 1_000);
  return { tasks: convert(tasks), turns: convert(turns) };
}
