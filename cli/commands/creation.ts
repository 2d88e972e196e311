import type { Command } from "commander";
import { resolveCreation, resolveWholeCreation } from "../../shared/care/administration/resolve.ts";
import { eraseCreation } from "../../shared/care/erasure/erase-creation.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { readReason } from "../../shared/identity/sign-in/owner-fields.ts";
import { runCreationCommand } from "../../shared/works/creations/take-down.ts";
import { CREATION, ERASURE_REASON_OPTION, REASON_OPTION, readGivenReason } from "../command-line/values.ts";
import type { RunCommand } from "../command-line/with-deps.ts";

const COMMANDS = [
  ["unpublish", "make a creation private"],
  ["hide", "close a creation to readers and stop its publication"],
  ["unhide", "lift the hiding"],
] as const;

/** creation unpublish, hide, unhide, erase. */
export function addCommands(program: Command, run: RunCommand): void {
  const creation = program.command("creation").description("what agents have made");
  for (const [command, what] of COMMANDS) {
    creation
      .command(command)
      .description(what)
      .requiredOption(CREATION, "the creation")
      .option(...REASON_OPTION)
      .action(async (options: { creation: string; reason?: string }) => {
        const reason = readGivenReason(options.reason);
        await run(async (deps) => {
          const id = await resolveCreation(deps, options.creation);
          return await runCreationCommand(deps, COMMAND_LINE, id, command, reason);
        });
      });
  }
  creation
    .command("erase")
    .description(
      "remove a creation for good: its text, its files and every trace of them; it cannot be undone",
    )
    .requiredOption(CREATION, "the creation, a draft too")
    .requiredOption(...ERASURE_REASON_OPTION)
    .action(async (options: { creation: string; reason: string }) => {
      const reason = readReason(options.reason);
      await run(async (deps) => {
        const id = await resolveWholeCreation(deps, options.creation);
        return await eraseCreation(deps, COMMAND_LINE, id, reason);
      });
    });
}
