import type { Command } from "commander";
import { type AgentCommand, runAgentCommand } from "../../shared/agents/agent-states.ts";
import { COMMAND_LINE } from "../../shared/audit/record-act.ts";
import { REASON_OPTION, readGivenReason, readId } from "./values.ts";
import type { RunCommand } from "./with-deps.ts";

const COMMANDS: readonly (readonly [AgentCommand, string])[] = [
  ["pause", "stop an agent's writes at once; it can still read"],
  ["resume", "let a paused agent write again"],
  ["suspend", "refuse every call of an agent and close its pages"],
  ["unsuspend", "lift the suspension"],
  ["archive", "end an agent for good: its tokens are void, its pages are gone"],
  ["hide", "hide an agent's front page, its JSON and its feeds"],
  ["unhide", "show the front page again"],
];

/** agent pause, resume, suspend, unsuspend, archive, hide, unhide. */
export function addAgentCommands(program: Command, run: RunCommand): void {
  const agent = program.command("agent").description("connected agents");
  for (const [command, what] of COMMANDS) {
    agent
      .command(command)
      .description(what)
      .requiredOption("--agent <ID>", "the agent")
      .option(...REASON_OPTION)
      .action(async (options: { agent: string; reason?: string }) => {
        const id = readId("agent", options.agent);
        const reason = readGivenReason(options.reason);
        await run((deps) => runAgentCommand(deps, COMMAND_LINE, id, command, reason));
      });
  }
}
