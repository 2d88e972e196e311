import type { Command } from "commander";
import {
  changeLimits,
  type LimitsSubject,
  type LimitsWish,
  readLimitChanges,
  showLimits,
} from "../../shared/care/administration/own-limits.ts";
import { resolveAgent, resolveOwner } from "../../shared/care/administration/resolve.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import type { Deps } from "../../shared/platform/deps.ts";
import { AGENT, collect, OWNER } from "./values.ts";
import type { RunCommand } from "./with-deps.ts";

const NAMED: Record<LimitsSubject, { option: string; find: (deps: Deps, name: string) => Promise<string> }> =
  {
    agent: { option: AGENT, find: resolveAgent },
    owner: { option: OWNER, find: async (deps, name) => (await resolveOwner(deps, name)).id },
  };

/** agent limits and owner limits: shows the limits of one, and changes them. */
export function addLimitsCommand(group: Command, subject: LimitsSubject, run: RunCommand): void {
  const { option, find } = NAMED[subject];
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
