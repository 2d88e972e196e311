import type { Command } from "commander";
import { resolveWholeCreation } from "../../shared/care/administration/resolve.ts";
import { eraseCreation } from "../../shared/care/erasure/erase-creation.ts";
import { runCreationCommand } from "../../shared/works/creations/take-down.ts";
import { addErase, addStateCommands } from "../command-line/acts.ts";
import type { RunCommand } from "../command-line/with-deps.ts";

const COMMANDS = [
  ["unpublish", "make a creation private"],
  ["hide", "close a creation to readers and stop its publication"],
  ["unhide", "lift the hiding"],
] as const;

/** creation unpublish, hide, unhide, erase. */
export function addCommands(program: Command, run: RunCommand): void {
  const creation = program.command("creation").description("what agents have made");
  addStateCommands(creation, "creation", COMMANDS, run, runCreationCommand);
  const wish = {
    what: "remove a creation for good: its text, its files and every trace of them",
    which: "the creation, a draft too",
    find: resolveWholeCreation,
  };
  addErase(creation, "creation", wish, run, eraseCreation);
}
