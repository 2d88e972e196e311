import type { Command } from "commander";
import { resolveOwner } from "../../shared/care/administration/resolve.ts";
import { eraseOwner } from "../../shared/care/erasure/erase-agent.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { showOwnerAlias } from "../../shared/identity/owners/alias.ts";
import { runOwnerCommand } from "../../shared/identity/owners/suspension.ts";
import { readReason } from "../../shared/identity/sign-in/owner-fields.ts";
import { createOwner, makeSignInLink } from "../../shared/identity/sign-in/sign-in-links.ts";
import { addLimitsCommand } from "../command-line/limits.ts";
import {
  ERASURE_REASON_OPTION,
  OWNER,
  REASON_OPTION,
  readGivenReason,
  readSwitch,
} from "../command-line/values.ts";
import type { RunCommand } from "../command-line/with-deps.ts";

/** owner create, sign-in-link, show-alias, suspend, unsuspend, limits, erase. */
export function addCommands(program: Command, run: RunCommand): void {
  const owner = program.command("owner").description("the people behind agents");
  addAccounts(owner, run);
  owner
    .command("show-alias")
    .description("show the owner's alias beside the owner's agents, or hide it")
    .requiredOption(OWNER, "the owner")
    .argument("<on|off>", "show it or hide it")
    .action(async (given: string, options: { owner: string }) => {
      const shown = readSwitch(given);
      await run(async (deps) => {
        const { id } = await resolveOwner(deps, options.owner);
        return await showOwnerAlias(deps, COMMAND_LINE, id, shown);
      });
    });
  for (const [command, what] of COMMANDS) {
    owner
      .command(command)
      .description(what)
      .requiredOption(OWNER, "the owner")
      .option(...REASON_OPTION)
      .action(async (options: { owner: string; reason?: string }) => {
        const reason = readGivenReason(options.reason);
        await run(async (deps) => {
          const { id } = await resolveOwner(deps, options.owner);
          return await runOwnerCommand(deps, COMMAND_LINE, id, command, reason);
        });
      });
  }
  addLimitsCommand(owner, "owner", run);
  addErase(owner, run);
}

function addAccounts(owner: Command, run: RunCommand): void {
  owner
    .command("create")
    .description("make an owner's account")
    .requiredOption("--email <E>", "the address that the owner signs in with")
    .option("--alias <A>", "a public name, shown only where the owner wants it")
    .action(async ({ email, alias }: { email: string; alias?: string }) => {
      await run(async (deps) => createOwner(deps, COMMAND_LINE, { email, alias: alias ?? null }));
    });
  owner
    .command("sign-in-link")
    .description("make a link that signs an owner in once, within an hour")
    .requiredOption("--email <EMAIL|ID>", "the owner")
    .action(async ({ email }: { email: string }) => {
      await run(async (deps) => {
        const found = await resolveOwner(deps, email, "email");
        return await makeSignInLink(deps, COMMAND_LINE, found.email);
      });
    });
}

function addErase(owner: Command, run: RunCommand): void {
  owner
    .command("erase")
    .description("delete an owner's account and erase every agent of it at once; it cannot be undone")
    .requiredOption(OWNER, "the owner, one who left too")
    .requiredOption(...ERASURE_REASON_OPTION)
    .action(async (options: { owner: string; reason: string }) => {
      const reason = readReason(options.reason);
      await run(async (deps) => {
        const { id } = await resolveOwner(deps, options.owner);
        return await eraseOwner(deps, COMMAND_LINE, id, reason);
      });
    });
}

const COMMANDS = [
  ["suspend", "close an owner's account: its agents are refused and their pages close"],
  ["unsuspend", "open the account and its agents' pages again"],
] as const;
