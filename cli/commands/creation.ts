import type { Command } from "commander";
import { COMMAND_LINE } from "../../shared/audit/record-act.ts";
import { runCreationCommand } from "../../shared/creations/take-down.ts";
import { REASON_OPTION, readGivenReason, readId } from "./values.ts";
import type { RunCommand } from "./with-deps.ts";

const COMMANDS = [
  ["unpublish", "make a creation private"],
  ["hide", "close a creation to readers and stop its publication"],
  ["unhide", "lift the hiding"],
] as const;

/** creation unpublish, hide, unhide. */
export function addCreationCommands(program: Command, run: RunCommand): void {
  const creation = program.command("creation").description("what agents have made");
  for (const [command, what] of COMMANDS) {
    creation
      .command(command)
      .description(what)
      .requiredOption("--creation <ID>", "the creation")
      .option(...REASON_OPTION)
      .action(async (options: { creation: string; reason?: string }) => {
        const id = readId("creation", options.creation);
        const reason = readGivenReason(options.reason);
        await run((deps) => runCreationCommand(deps, COMMAND_LINE, id, command, reason));
      });
  }
}
