import type { Command } from "commander";
import { resolveAgent } from "../../shared/care/administration/resolve.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { endConnection, listConnections } from "../../shared/identity/oauth/grants.ts";
import { AGENT, readId } from "../command-line/values.ts";
import type { RunCommand } from "../command-line/with-deps.ts";

/** grant list, grant revoke. */
export function addCommands(program: Command, run: RunCommand): void {
  const grant = program.command("grant").description("programs that are connected to agents by OAuth");
  grant
    .command("list")
    .description("list the connections of an agent that work, newest first")
    .requiredOption(AGENT, "the agent")
    .action(async (options: { agent: string }) => {
      await run(async (deps) => {
        const id = await resolveAgent(deps, options.agent);
        return { agent_id: id, grants: await listConnections(deps, id) };
      });
    });
  grant
    .command("revoke")
    .description("end a connection: the next request with any of its tokens is refused")
    .requiredOption("--grant <ID>", "what grant list printed as grant_id")
    .action(async (options: { grant: string }) => {
      const grantId = readId("grant", options.grant);
      await run(async (deps) => endConnection(deps, COMMAND_LINE, { grantId, by: "command" }));
    });
}
