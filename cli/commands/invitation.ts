import type { Command } from "commander";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { withdrawInvitation } from "../../shared/identity/sign-in/invitations.ts";
import type { RunCommand } from "../command-line/with-deps.ts";

/** invitation revoke. */
export function addCommands(program: Command, run: RunCommand): void {
  program
    .command("invitation")
    .description("invitations of owners to others, and links that people asked for to open an account")
    .command("revoke")
    .description("withdraw an open invitation: its link opens no account any more")
    .requiredOption("--invitation <ID>", "which one")
    .action(async ({ invitation }: { invitation: string }) => {
      await run((deps) => withdrawInvitation(deps, COMMAND_LINE, { id: invitation, ownerId: null }));
    });
}
