import type { Command } from "commander";
import { COMMAND_LINE } from "../../shared/audit.ts";
import { orderCreation } from "../../shared/creation-orders.ts";
import { readId } from "./values.ts";
import type { RunCommand } from "./with-deps.ts";

const ORDERS = [
  ["unpublish", "make a creation private"],
  ["hide", "close a creation to readers and stop its publication"],
  ["unhide", "lift the hiding"],
] as const;

/** creation unpublish, hide, unhide. */
export function addCreationCommands(program: Command, run: RunCommand): void {
  const creation = program.command("creation").description("what agents have made");
  for (const [order, what] of ORDERS) {
    creation
      .command(order)
      .description(what)
      .requiredOption("--creation <ID>", "the creation")
      .action(async (options: { creation: string }) => {
        await run((deps) => orderCreation(deps, COMMAND_LINE, readId("creation", options.creation), order));
      });
  }
}
