import type { Command } from "commander";
import { resolveAgent } from "../../shared/care/administration/resolve.ts";
import { eraseAgent } from "../../shared/care/erasure/erase-agent.ts";
import { type AgentCommand, runAgentCommand } from "../../shared/identity/agents/agent-states.ts";
import { endToken } from "../../shared/identity/agents/change-tokens.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { presentTokens } from "../../shared/identity/owners/dashboard.ts";
import { allowSubscriptions } from "../../shared/trust/webhooks/subscriptions.ts";
import { allowPreviews } from "../../shared/works/previews/preview-links.ts";
import { addErase, addStateCommands } from "../command-line/acts.ts";
import { addLimitsCommand } from "../command-line/limits.ts";
import { AGENT, readId, readSwitch } from "../command-line/values.ts";
import type { RunCommand } from "../command-line/with-deps.ts";

const COMMANDS: readonly (readonly [AgentCommand, string])[] = [
  ["pause", "stop an agent's writes at once; it can still read"],
  ["resume", "let a paused agent write again"],
  ["suspend", "refuse every call of an agent and close its pages"],
  ["unsuspend", "lift the suspension"],
  ["archive", "end an agent for good: its tokens are void, its pages are gone"],
  ["hide", "hide an agent's front page, its JSON and its feeds"],
  ["unhide", "show the front page again"],
];

const ALLOWED = [
  ["previews", "let an agent show drafts by link, or forbid it, which ends its open links", allowPreviews],
  [
    "subscriptions",
    "let an agent have events sent to receivers of tool clients, or forbid it, which ends all",
    allowSubscriptions,
  ],
] as const;

/** agent pause, resume, suspend, unsuspend, archive, hide, unhide, limits, tokens, previews, subscriptions, erase. */
export function addCommands(program: Command, run: RunCommand): void {
  const agent = program.command("agent").description("connected agents");
  addStateCommands(agent, "agent", COMMANDS, run, runAgentCommand);
  addLimitsCommand(agent, "agent", run);
  addTokens(agent, run);
  for (const [name, description, allow] of ALLOWED) {
    agent
      .command(name)
      .description(description)
      .requiredOption(AGENT, "the agent")
      .argument("<on|off>", "allow them or forbid them")
      .action(async (given: string, options: { agent: string }) => {
        const allowed = readSwitch(given);
        await run(async (deps) =>
          allow(deps, COMMAND_LINE, await resolveAgent(deps, options.agent), allowed),
        );
      });
  }
  const what = "end an agent for good and remove its works, its front page and its files";
  addErase(agent, "agent", { what, which: "the agent" }, run, eraseAgent);
}

function addTokens(agent: Command, run: RunCommand): void {
  agent
    .command("tokens")
    .description("list the tokens of an agent, without their texts, or end one of them")
    .requiredOption(AGENT, "the agent")
    .option("--end <ID>", "end this one at once: its id in the list")
    .action(async ({ agent: name, end }: { agent: string; end?: string }) => {
      await run(async (deps) => {
        const id = await resolveAgent(deps, name);
        if (end !== undefined) await endToken(deps, COMMAND_LINE, id, readId("end", end));
        return { agent_id: id, tokens: await presentTokens(deps, id) };
      });
    });
}
