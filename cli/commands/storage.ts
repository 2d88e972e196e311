import type { Command } from "commander";
import { reportStorage } from "../../shared/care/administration/show-entry.ts";
import { FORMAT_OPTION, isTable, writeCard } from "../command-line/table.ts";
import type { RunCommand } from "../command-line/with-deps.ts";

/** storage report. */
export function addCommands(program: Command, run: RunCommand): void {
  program
    .command("storage")
    .description("the space that stored files take")
    .command("report")
    .description("files and bytes by kind, and of the owners and agents with the most")
    .option("--limit <N>", "how many owners and agents, from 1 to 1000; 50 where none is given")
    .option(...FORMAT_OPTION)
    .action(async ({ limit, format }: { limit?: string; format?: string }) => {
      const write = isTable(format) ? writeCard : undefined;
      await run((deps) => reportStorage(deps, limit), { write });
    });
}
