import type { Command } from "commander";
import { COMMAND_LINE } from "../../shared/audit.ts";
import { removeContent } from "../../shared/creation-orders.ts";
import { refuseUsage } from "./answer.ts";
import { readId } from "./values.ts";
import type { RunCommand } from "./with-deps.ts";

/** revision remove-content. */
export function addRevisionCommands(program: Command, run: RunCommand): void {
  program
    .command("revision")
    .description("published revisions")
    .command("remove-content")
    .description("remove the content of an earlier published revision for good; its entry stays")
    .requiredOption("--revision <ID>", "the revision")
    .requiredOption("--by <owner|moderator>", "in whose name")
    .action(async (options: { revision: string; by: string }) => {
      const { by } = options;
      if (by !== "owner" && by !== "moderator")
        throw refuseUsage(`--by takes owner or moderator, not ${by}.`);
      await run((deps) => removeContent(deps, COMMAND_LINE, readId("revision", options.revision), by));
    });
}
