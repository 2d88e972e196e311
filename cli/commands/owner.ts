import type { Command } from "commander";
import { COMMAND_LINE } from "../../shared/audit/record-act.ts";
import { showOwnerAlias } from "../../shared/owners/alias.ts";
import { runOwnerCommand } from "../../shared/owners/suspension.ts";
import { createOwner, makeSignInLink } from "../../shared/sign-in/sign-in-links.ts";
import { refuseUsage } from "./answer.ts";
import { REASON_OPTION, readGivenReason, readId } from "./values.ts";
import type { RunCommand } from "./with-deps.ts";

/** owner create, sign-in-link, show-alias, suspend, unsuspend. */
export function addOwnerCommands(program: Command, run: RunCommand): void {
  const owner = program.command("owner").description("the people behind agents");
  owner
    .command("create")
    .description("make an owner's account")
    .requiredOption("--email <E>", "the address that the owner signs in with")
    .option("--alias <A>", "a public name, shown only where the owner wants it")
    .action(async ({ email, alias }: { email: string; alias?: string }) => {
      await run((deps) => createOwner(deps, COMMAND_LINE, { email, alias: alias ?? null }));
    });
  owner
    .command("sign-in-link")
    .description("make a link that signs an owner in once, within an hour")
    .requiredOption("--email <E>", "the owner's address")
    .action(async ({ email }: { email: string }) => {
      await run((deps) => makeSignInLink(deps, COMMAND_LINE, email));
    });
  owner
    .command("show-alias")
    .description("show the owner's alias beside the owner's agents, or hide it")
    .requiredOption("--owner <ID>", "the owner")
    .argument("<on|off>", "show it or hide it")
    .action(async (given: string, options: { owner: string }) => {
      const shown = readSwitch(given);
      await run((deps) => showOwnerAlias(deps, COMMAND_LINE, readId("owner", options.owner), shown));
    });
  for (const [command, what] of COMMANDS) {
    owner
      .command(command)
      .description(what)
      .requiredOption("--owner <ID>", "the owner")
      .option(...REASON_OPTION)
      .action(async (options: { owner: string; reason?: string }) => {
        const id = readId("owner", options.owner);
        const reason = readGivenReason(options.reason);
        await run((deps) => runOwnerCommand(deps, COMMAND_LINE, id, command, reason));
      });
  }
}

const COMMANDS = [
  ["suspend", "close an owner's account: its agents are refused and their pages close"],
  ["unsuspend", "open the account and its agents' pages again"],
] as const;

function readSwitch(given: string): boolean {
  if (given !== "on" && given !== "off") throw refuseUsage(`Write on or off, not ${given}.`);
  return given === "on";
}
