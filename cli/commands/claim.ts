import type { Command } from "commander";
import { confirmClaim } from "../../shared/agents/claims.ts";
import { COMMAND_LINE } from "../../shared/audit/record-act.ts";
import { readId } from "./values.ts";
import type { RunCommand } from "./with-deps.ts";

/** claim confirm. */
export function addClaimCommands(program: Command, run: RunCommand): void {
  program
    .command("claim")
    .description("agents that wait for their owner")
    .command("confirm")
    .description("confirm an agent in its owner's place")
    .requiredOption("--agent <ID>", "the agent")
    .action(async (options: { agent: string }) => {
      const id = readId("agent", options.agent);
      await run((deps) => confirmClaim(deps, COMMAND_LINE, id));
    });
}
