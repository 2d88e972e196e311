import type { Command } from "commander";
import { sweepAll } from "../../shared/care/sweeps.ts";
import { readTimestamp } from "../command-line/values.ts";
import type { RunCommand } from "../command-line/with-deps.ts";

/** sweep: runs the time-driven work once, now or as of another time. */
export function addCommands(program: Command, run: RunCommand): void {
  program
    .command("sweep")
    .description("run the time-driven work once and count what was done")
    .option("--now <TIME>", "as if it were this time, such as 2026-11-20T09:00:00Z")
    .action(async (options: { now?: string }) => {
      const nowMs = options.now === undefined ? undefined : readTimestamp("now", options.now);
      await run(sweepAll, nowMs === undefined ? {} : { now: () => nowMs });
    });
}
