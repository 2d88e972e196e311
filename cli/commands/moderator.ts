import type { Command } from "commander";
import { resolveOwner } from "../../shared/care/administration/resolve.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { runModeratorCommand } from "../../shared/identity/owners/suspension.ts";
import type { RunCommand } from "../command-line/with-deps.ts";

/** moderator grant, revoke. */
export function addCommands(program: Command, run: RunCommand): void {
  const moderator = program.command("moderator").description("owners who look after the whole site");
  for (const command of ["grant", "revoke"] as const) {
    moderator
      .command(command)
      .description(command === "grant" ? "make an owner a moderator" : "withdraw the role of moderator")
      .requiredOption("--email <EMAIL|ID>", "the owner")
      .action(async ({ email }: { email: string }) => {
        await run(async (deps) => {
          const owner = await resolveOwner(deps, email, "email");
          return await runModeratorCommand(deps, COMMAND_LINE, owner.email, command);
        });
      });
  }
}
