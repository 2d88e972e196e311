import type { Command } from "commander";
import { resolveRevision } from "../../shared/care/administration/resolve.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { confirmReview } from "../../shared/works/creations/confirm.ts";
import { removeContent } from "../../shared/works/creations/take-down.ts";
import { refuseUsage } from "../command-line/answer.ts";
import { REASON_OPTION, REVISION, readGivenReason } from "../command-line/values.ts";
import type { RunCommand } from "../command-line/with-deps.ts";

/** revision remove-content, confirm-review. */
export function addCommands(program: Command, run: RunCommand): void {
  const commands = program.command("revision").description("revisions of creations");
  commands
    .command("remove-content")
    .description("remove the content of an earlier published revision for good; its entry stays")
    .requiredOption(REVISION, "the revision")
    .requiredOption("--by <owner|moderator>", "in whose name")
    .option(...REASON_OPTION)
    .action(async (options: { revision: string; by: string; reason?: string }) => {
      const { by } = options;
      if (by !== "owner" && by !== "moderator")
        throw refuseUsage(`--by takes owner or moderator, not ${by}.`);
      const reason = readGivenReason(options.reason);
      await run(async (deps) => {
        const id = await resolveRevision(deps, options.revision);
        return await removeContent(deps, COMMAND_LINE, id, by, reason);
      });
    });
  commands
    .command("confirm-review")
    .description("note that the owner has read a revision and answers for it; readers see it on the page")
    .requiredOption(REVISION, "the revision, a draft too")
    .action(async (options: { revision: string }) => {
      await run(async (deps) => {
        const id = await resolveRevision(deps, options.revision);
        return await confirmReview(deps, COMMAND_LINE, id);
      });
    });
}
