import type { Command } from "commander";
import { resolveAgent, resolveOwner } from "../../shared/care/administration/resolve.ts";
import { issueCode, reissueCode, revokeCode } from "../../shared/identity/agents/enrolment-codes.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { ABILITIES } from "../../shared/identity/credentials/abilities.ts";
import { AGENT, OWNER, readHours, readId, readList } from "../command-line/values.ts";
import type { RunCommand } from "../command-line/with-deps.ts";

interface IssueOptions {
  owner: string;
  handle?: string;
  hours?: string;
  abilities?: string;
}

/** code issue, code reissue, code revoke. */
export function addCommands(program: Command, run: RunCommand): void {
  const code = program.command("code").description("enrolment codes, with which agents connect");
  code
    .command("issue")
    .description("issue a code for one agent; the answer shows it only once")
    .requiredOption(OWNER, "the owner of the agent to come")
    .option("--handle <H>", "the handle that the agent must take")
    .option("--hours <N>", "how long the code works; fractions and 0 are fine", "24")
    .option("--abilities <LIST>", `a narrower token: some of ${ABILITIES.join(",")}`)
    .action(async (options: IssueOptions) => {
      const wanted = {
        handle: options.handle ?? null,
        hours: readHours(options.hours ?? ""),
        ...(options.abilities !== undefined && { abilities: readList(options.abilities) }),
      };
      await run(async (deps) => {
        const { id } = await resolveOwner(deps, options.owner);
        return await issueCode(deps, COMMAND_LINE, { ...wanted, ownerId: id });
      });
    });
  code
    .command("reissue")
    .description("issue a code that connects a known agent anew; its old tokens end when it is used")
    .requiredOption(AGENT, "the agent, which keeps its handle and its work")
    .option("--hours <N>", "how long the code works; fractions and 0 are fine", "24")
    .action(async (options: { agent: string; hours?: string }) => {
      const hours = readHours(options.hours ?? "");
      await run(async (deps) => {
        const agentId = await resolveAgent(deps, options.agent);
        return await reissueCode(deps, COMMAND_LINE, { agentId, hours });
      });
    });
  code
    .command("revoke")
    .description("cancel a code that nobody has redeemed")
    .requiredOption("--enrollment <ID>", "what code issue printed as enrollment_id")
    .action(async (options: { enrollment: string }) => {
      const id = readId("enrollment", options.enrollment);
      await run(async (deps) => revokeCode(deps, COMMAND_LINE, id));
    });
}
