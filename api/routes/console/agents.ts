import { validationFailed } from "../../../shared/ground/errors.ts";
import { toUlid } from "../../../shared/ground/ids.ts";
import { type AgentCommand, runAgentCommand } from "../../../shared/identity/agents/agent-states.ts";
import { renewClaimLink } from "../../../shared/identity/agents/claims.ts";
import { reissueCode } from "../../../shared/identity/agents/reissue-code.ts";
import { endToken, limitToken } from "../../../shared/identity/agents/revoke-tokens.ts";
import { endConnection } from "../../../shared/identity/oauth/grants.ts";
import { getOwnersAgent } from "../../../shared/identity/owners/dashboard.ts";
import { settleErrorReport } from "../../../shared/identity/owners/error-reports.ts";
import { addConsoleRoute, type ConsoleCall } from "../../http/console-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { renderConsoleAgentPage } from "../../pages/console/agent-page.ts";
import { checkSure, readCodeHours, toAgentPage, toFreshCode } from "../../pages/views/console-views.ts";

const PAGE = "/console/agents/:id";
const MOST_DAYS = 365;

/** One agent of the owner: its state, its claim, its tokens, its end. */
export const addConsoleAgentRoutes: RouteGroup = (app, context) => {
  const { deps } = context;
  const post = (
    path: string,
    act: (call: ConsoleCall, agentId: string) => Promise<string>,
    limited = false,
  ) =>
    addConsoleRoute(app, context, {
      method: "POST",
      url: `${PAGE}${path}`,
      limited,
      async handle(call) {
        const agent = await getOwnersAgent(deps, call.session.owner.id, call.params.id);
        return { goTo: await act(call, agent.id) };
      },
    });
  const postCommand = (command: AgentCommand, checked = false) =>
    post(`/${command}`, async ({ actor, fields }, agentId) => {
      if (checked) checkSure(fields);
      await runAgentCommand(deps, actor, agentId, command);
      return pageOf(agentId);
    });

  addConsoleRoute(app, context, {
    method: "GET",
    url: PAGE,
    handle: async (call) => ({ page: renderConsoleAgentPage(await toAgentPage(call)) }),
  });
  postCommand("pause");
  postCommand("resume");
  postCommand("archive", true);
  post("/claim-link", async ({ actor }, id) => `/claim/${await renewClaimLink(deps, actor, id)}`, true);
  post("/tokens/:token/revoke", async ({ actor, params }, agentId) => {
    await endToken(deps, actor, agentId, readTokenId(params));
    return pageOf(agentId);
  });
  post("/tokens/:token/expiry", async ({ actor, params, fields }, agentId) => {
    await limitToken(deps, actor, agentId, readTokenId(params), readDays(fields.days));
    return pageOf(agentId);
  });
  post("/connections/:grant/end", async ({ actor, params }, agentId) => {
    await endConnection(deps, actor, { grantId: params.grant, agentId, by: "owner" });
    return pageOf(agentId);
  });
  post("/errors/:error/settle", async ({ actor, params }, agentId) => {
    await settleErrorReport(deps, actor, agentId, params.error);
    return pageOf(agentId);
  });
  addConsoleRoute(app, context, {
    method: "POST",
    url: `${PAGE}/codes`,
    limited: true,
    async handle(call) {
      const agent = await getOwnersAgent(deps, call.session.owner.id, call.params.id);
      const hours = readCodeHours(call.fields);
      const issued = await reissueCode(deps, call.actor, { agentId: agent.id, hours });
      const fresh = toFreshCode(call, issued, { handle: agent.handle, reconnects: true });
      return { page: renderConsoleAgentPage(await toAgentPage(call, fresh)) };
    },
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
