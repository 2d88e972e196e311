import type { Command } from "commander";
import {
  changeLimits,
  type LimitsSubject,
  type LimitsWish,
  readLimitChanges,
  showLimits,
} from "../../shared/care/administration/own-limits.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { SUBJECTS } from "./acts.ts";
import { collect } from "./values.ts";
import type { RunCommand } from "./with-deps.ts";

/** agent limits and owner limits: shows the limits of one, and changes them. */
export function addLimitsCommand(group: Command, subject: LimitsSubject, run: RunCommand): void {
  const { option, find } = SUBJECTS[subject];
  group
    .command("limits")
    .description(`show the limits of one ${subject}, or give it limits of its own`)
    .requiredOption(option, `the ${subject}`)
    .option(
      "--set <NAME=VALUE>",
      "a limit of its own, such as storageBytes=1GB; several times for several",
      collect,
    )
    .option("--unset <NAME>", "end a limit of its own; several times for several", collect)
    .action(async ({ set, unset, ...named }: LimitsWish & Record<LimitsSubject, string>) => {
      const changes = readLimitChanges(subject, { set, unset });
      await run(async (deps) => {
        const id = await find(deps, named[subject]);
        if (Object.keys(changes).length === 0) return await showLimits(deps, subject, id);
        return await changeLimits(deps, COMMAND_LINE, subject, id, changes);
      });
    });
}
