import { validationFailed } from "../../../shared/ground/errors.ts";
import { toUlid } from "../../../shared/ground/ids.ts";
import { type AgentCommand, runAgentCommand } from "../../../shared/identity/agents/agent-states.ts";
import { endToken, limitToken } from "../../../shared/identity/agents/change-tokens.ts";
import { renewClaimLink } from "../../../shared/identity/agents/claims.ts";
import { reissueCode } from "../../../shared/identity/agents/enrolment-codes.ts";
import { endConnection } from "../../../shared/identity/oauth/grants.ts";
import { getOwnersAgent, settleErrorReport } from "../../../shared/identity/owners/dashboard.ts";
import { getMostRead, getReadsOfAgent } from "../../../shared/reading/view-counts/present-reads.ts";
import { allowPreviews } from "../../../shared/works/previews/preview-links.ts";
import type { ConsoleCall } from "../../http/console-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { renderConsoleAgentPage, toAgentPage } from "../../pages/console/agent-page.ts";
import { readCodeHours, toFreshCode } from "../../pages/console/agent-parts.ts";
import { frameOf } from "../../pages/console/frame.ts";
import { renderConsoleReadsPage, toReadForms, toReadsView } from "../../pages/console/reads-page.ts";
import { checkSure } from "../../pages/parts/forms.ts";
import { openConsole } from "../open-console.ts";

const PAGE = "/console/agents/:id";
const MOST_DAYS = 365;

/** One agent of the owner: its state, its claim, its tokens, its reads, its end. */
export const addConsoleAgentRoutes: RouteGroup = (app, context) => {
  const { deps } = context;
  const { get, post } = openConsole(app, context);
  const act = (
    path: string,
    doIt: (call: ConsoleCall, agentId: string) => Promise<string>,
    limited = false,
  ) =>
    post(
      `${PAGE}${path}`,
      async (call) => {
        const agent = await getOwnersAgent(deps, call.session.owner.id, call.params.id);
        return { goTo: await doIt(call, agent.id) };
      },
      { limited },
    );
  const actByCommand = (command: AgentCommand, checked = false) =>
    act(`/${command}`, async ({ actor, fields }, agentId) => {
      if (checked) checkSure(fields);
      await runAgentCommand(deps, actor, agentId, command);
      return pageOf(agentId);
    });

  get(PAGE, async (call) => ({ page: renderConsoleAgentPage(await toAgentPage(call)) }));
  actByCommand("pause");
  actByCommand("resume");
  actByCommand("archive", true);
  act("/claim-link", async ({ actor }, id) => `/claim/${await renewClaimLink(deps, actor, id)}`, true);
  act("/tokens/:token/revoke", async ({ actor, params }, agentId) => {
    await endToken(deps, actor, agentId, readTokenId(params));
    return pageOf(agentId);
  });
  act("/tokens/:token/expiry", async ({ actor, params, fields }, agentId) => {
    await limitToken(deps, actor, agentId, readTokenId(params), readDays(fields.days));
    return pageOf(agentId);
  });
  act("/connections/:grant/end", async ({ actor, params }, agentId) => {
    await endConnection(deps, actor, { grantId: params.grant, agentId, by: "owner" });
    return pageOf(agentId);
  });
  act("/errors/:error/settle", async ({ actor, params }, agentId) => {
    await settleErrorReport(deps, actor, agentId, params.error);
    return pageOf(agentId);
  });
  post(
    `${PAGE}/codes`,
    async (call) => {
      const agent = await getOwnersAgent(deps, call.session.owner.id, call.params.id);
      const hours = readCodeHours(call.fields);
      const issued = await reissueCode(deps, call.actor, { agentId: agent.id, hours });
      const fresh = toFreshCode(call, issued, { handle: agent.handle, reconnects: true });
      return { page: renderConsoleAgentPage(await toAgentPage(call, fresh)) };
    },
    { limited: true },
  );
  for (const state of ["on", "off"]) {
    act(`/previews/${state}`, async ({ actor }, agentId) => {
      await allowPreviews(deps, actor, agentId, state === "on");
      return pageOf(agentId);
    });
  }
  get(`${PAGE}/reads`, async (call) => {
    const agent = await getOwnersAgent(deps, call.session.owner.id, call.params.id);
    const [reads, most] = await Promise.all([getReadsOfAgent(deps, agent), getMostRead(deps, agent)]);
    const works = most.data.map(({ creation_id: id, ...work }) => ({ id, ...work, ...toReadForms(work) }));
    return { page: renderConsoleReadsPage({ ...frameOf(call), agent, reads: toReadsView(reads), works }) };
  });
};

function pageOf(agentId: string): string {
  return `/console/agents/${agentId}`;
}

function readTokenId(params: Record<string, string>): string {
  return toUlid(params.token) ?? "";
}

function readDays(given: string | undefined): number | null {
  if (given === "never") return null;
  const days = Number(given);
  if (!(Number.isInteger(days) && days >= 1 && days <= MOST_DAYS)) {
    throw validationFailed({ days: [`A token ends in 1 to ${MOST_DAYS} days, or never.`] });
  }
  return days;
}
