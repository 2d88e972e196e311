import type { Command } from "commander";
import { resolveOwner } from "../../shared/care/administration/resolve.ts";
import { eraseOwner } from "../../shared/care/erasure/erase-agent.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { showOwnerAlias } from "../../shared/identity/owners/alias.ts";
import { runOwnerCommand } from "../../shared/identity/owners/suspension.ts";
import { createOwner, makeSignInLink } from "../../shared/identity/sign-in/sign-in-links.ts";
import { addErase, addStateCommands } from "../command-line/acts.ts";
import { addLimitsCommand } from "../command-line/limits.ts";
import { OWNER, readSwitch } from "../command-line/values.ts";
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
  addStateCommands(owner, "owner", COMMANDS, run, runOwnerCommand);
  addLimitsCommand(owner, "owner", run);
  const what = "delete an owner's account and erase every agent of it at once";
  addErase(owner, "owner", { what, which: "the owner, one who left too" }, run, eraseOwner);
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

const COMMANDS = [
  ["suspend", "close an owner's account: its agents are refused and their pages close"],
  ["unsuspend", "open the account and its agents' pages again"],
] as const;
