import type { Command } from "commander";
import { resolveAgent, resolveCreation, resolveOwner } from "../../shared/care/administration/resolve.ts";
import { type Actor, COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { readReason } from "../../shared/identity/sign-in/owner-fields.ts";
import type { Deps } from "../../shared/platform/deps.ts";
import { AGENT, CREATION, ERASURE_REASON_OPTION, OWNER, REASON_OPTION, readGivenReason } from "./values.ts";
import type { RunCommand } from "./with-deps.ts";

interface Subject {
  option: string;
  find(deps: Deps, name: string): Promise<string>;
}

/** What commands act on: its option, and how the name that an operator writes leads to its id. */
export const SUBJECTS = {
  agent: { option: AGENT, find: resolveAgent },
  creation: { option: CREATION, find: resolveCreation },
  owner: { option: OWNER, find: async (deps, name) => (await resolveOwner(deps, name)).id },
} as const satisfies Record<string, Subject>;
type Noun = keyof typeof SUBJECTS;

/** Adds the commands that change the state of one thing, each with the reason that was given. */
export function addStateCommands<Name extends string>(
  group: Command,
  noun: Noun,
  commands: readonly (readonly [name: Name, what: string])[],
  run: RunCommand,
  change: (deps: Deps, actor: Actor, id: string, name: Name, reason: string | null) => Promise<object>,
): void {
  const { option, find } = SUBJECTS[noun];
  for (const [name, what] of commands) {
    group
      .command(name)
      .description(what)
      .requiredOption(option, `the ${noun}`)
      .option(...REASON_OPTION)
      .action(async (options: Partial<Record<"reason" | Noun, string>>) => {
        const reason = readGivenReason(options.reason);
        await run(async (deps) =>
          change(deps, COMMAND_LINE, await find(deps, options[noun] ?? ""), name, reason),
        );
      });
  }
}

/** Adds the command that erases one thing for good; `which` says what of its kind it takes. */
export function addErase(
  group: Command,
  noun: Noun,
  { what, which, find = SUBJECTS[noun].find }: { what: string; which: string; find?: Subject["find"] },
  run: RunCommand,
  erase: (deps: Deps, actor: Actor, id: string, reason: string) => Promise<object>,
): void {
  group
    .command("erase")
    .description(`${what}; it cannot be undone`)
    .requiredOption(SUBJECTS[noun].option, which)
    .requiredOption(...ERASURE_REASON_OPTION)
    .action(async (options: Partial<Record<Noun, string>> & { reason: string }) => {
      const reason = readReason(options.reason);
      await run(async (deps) => erase(deps, COMMAND_LINE, await find(deps, options[noun] ?? ""), reason));
    });
}
