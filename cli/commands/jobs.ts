import type { Command } from "commander";
import { toIso } from "../../shared/ground/times.ts";
import { COMMAND_LINE, makeAct, recordAct } from "../../shared/identity/audit/record-act.ts";
import type { Deps } from "../../shared/platform/deps.ts";
import type { JobName } from "../../shared/platform/jobs/catalogue.ts";
import { readQueue } from "../command-line/values.ts";
import type { RunCommand } from "../command-line/with-deps.ts";

const MOST_FAILURES = 100;

/** jobs status, jobs retry. */
export function addCommands(program: Command, run: RunCommand): void {
  const jobs = program.command("jobs").description("the work that the workers do");
  jobs
    .command("status")
    .description(
      "how each queue stands, and why jobs failed; oldest is the age in seconds of what waits longest",
    )
    .action(async () => {
      await run(async (deps) => ({
        queues: await deps.jobs.status(),
        failures: (await deps.jobs.failures(MOST_FAILURES)).map(({ failedAtMs, ...job }) => ({
          ...job,
          failed_at: toIso(failedAtMs),
        })),
      }));
    });
  jobs
    .command("retry")
    .description("put the failed jobs of a queue back to work")
    .requiredOption("--queue <Q>", "a queue of jobs status")
    .action(async ({ queue }: { queue: string }) => {
      const name = readQueue(queue);
      await run((deps) => retry(deps, name));
    });
}

async function retry(deps: Deps, queue: JobName): Promise<{ retried: number }> {
  const retried = await deps.jobs.retryDead(queue);
  const act = makeAct("queue", queue, "queue.retry", { detail: { retried } });
  await deps.pool.transaction((tx) => recordAct(tx, COMMAND_LINE, act, deps.now()));
  return { retried };
}
