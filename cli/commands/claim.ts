import type { Command } from "commander";
import { resolveAgent } from "../../shared/care/administration/resolve.ts";
import { confirmClaim } from "../../shared/identity/agents/claims.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { AGENT } from "../command-line/values.ts";
import type { RunCommand } from "../command-line/with-deps.ts";

/** claim confirm. */
export function addCommands(program: Command, run: RunCommand): void {
  program
    .command("claim")
    .description("agents that wait for their owner")
    .command("confirm")
    .description("confirm an agent in its owner's place")
    .requiredOption(AGENT, "the agent")
    .action(async (options: { agent: string }) => {
      await run(async (deps) => confirmClaim(deps, COMMAND_LINE, await resolveAgent(deps, options.agent)));
    });
}
