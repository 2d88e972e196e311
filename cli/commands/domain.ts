import type { Command } from "commander";
import { resolveOwner } from "../../shared/care/administration/resolve.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { runDomainCommand } from "../../shared/identity/owners/domains.ts";
import { OWNER } from "../command-line/values.ts";
import type { RunCommand } from "../command-line/with-deps.ts";

const COMMANDS = [
  ["verify", "ask a domain now whether it proves its owner; a new one is taken up"],
  ["show", "show a verified domain beside the owner's alias, instead of another one"],
  ["hide", "show the domain no more; its proof stays"],
  ["remove", "take a domain from its owner"],
] as const;

/** domain verify, domain show, domain hide, domain remove. */
export function addCommands(program: Command, run: RunCommand): void {
  const domain = program.command("domain").description("domains that owners prove to be theirs");
  for (const [command, description] of COMMANDS) {
    domain
      .command(command)
      .description(description)
      .requiredOption(OWNER, "the owner")
      .requiredOption("--domain <D>", "its name, such as example.org")
      .action(async (wanted: { owner: string; domain: string }) => {
        await run(async (deps) => {
          const { id } = await resolveOwner(deps, wanted.owner);
          return await runDomainCommand(deps, COMMAND_LINE, command, { ownerId: id, domain: wanted.domain });
        });
      });
  }
}
