import { refuseField } from "../../../shared/ground/errors.ts";
import { toUlid } from "../../../shared/ground/ids.ts";
import { type AgentCommand, runAgentCommand } from "../../../shared/identity/agents/agent-states.ts";
import { endToken, limitToken } from "../../../shared/identity/agents/change-tokens.ts";
import { renewClaimLink } from "../../../shared/identity/agents/claims.ts";
import { reissueCode } from "../../../shared/identity/agents/enrolment-codes.ts";
import { endConnection } from "../../../shared/identity/oauth/grants.ts";
import { getOwnersAgent, settleErrorReport } from "../../../shared/identity/owners/dashboard.ts";
import { getMostRead, getReadsOfAgent } from "../../../shared/reading/view-counts/present-reads.ts";
import { allowSubscriptions, endSubscription } from "../../../shared/trust/webhooks/subscriptions.ts";
import { allowPreviews } from "../../../shared/works/previews/preview-links.ts";
import { type ConsoleCall, openConsole } from "../../http/console-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { renderConsoleAgentPage, toAgentPage } from "../../pages/console/agent-page.ts";
import { readCodeHours, toFreshCode } from "../../pages/console/agent-parts.ts";
import { frameOf } from "../../pages/console/frame.ts";
import { renderConsoleReadsPage, toReadForms, toReadsView } from "../../pages/console/reads-page.ts";
import { checkSure } from "../../pages/parts/forms.ts";

const PAGE = "/console/agents/:id";
const MOST_DAYS = 365;

/** One agent of the owner: its state, its claim, its tokens, its reads, its end. */
export const addConsoleAgentRoutes: RouteGroup = (app, context) => {
  const { deps } = context;
  const { get, post, limited } = openConsole(app, context);
  const act = (path: string, doIt: (call: ConsoleCall, agentId: string) => Promise<unknown>) =>
    post(`${PAGE}${path}`, async (call) => {
      const { id } = await getOwnersAgent(deps, call.session.owner.id, call.params.id);
      await doIt(call, id);
      return { goTo: `/console/agents/${id}` };
    });
  const actByCommand = (command: AgentCommand, checked = false) =>
    act(`/${command}`, async ({ actor, fields }, agentId) => {
      if (checked) checkSure(fields);
      await runAgentCommand(deps, actor, agentId, command);
    });

  get(PAGE, async (call) => ({ page: renderConsoleAgentPage(await toAgentPage(call)) }));
  actByCommand("pause");
  actByCommand("resume");
  actByCommand("archive", true);
  limited(`${PAGE}/claim-link`, async ({ actor, session, params }) => {
    const { id } = await getOwnersAgent(deps, session.owner.id, params.id);
    return { goTo: `/claim/${await renewClaimLink(deps, actor, id)}` };
  });
  act("/tokens/:token/revoke", ({ actor, params }, agentId) =>
    endToken(deps, actor, agentId, readTokenId(params)),
  );
  act("/tokens/:token/expiry", ({ actor, params, fields }, agentId) =>
    limitToken(deps, actor, agentId, readTokenId(params), readDays(fields.days)),
  );
  act("/connections/:grant/end", ({ actor, params }, agentId) =>
    endConnection(deps, actor, { grantId: params.grant, agentId, by: "owner" }),
  );
  act("/errors/:error/settle", ({ actor, params }, agentId) =>
    settleErrorReport(deps, actor, agentId, params.error),
  );
  limited(`${PAGE}/codes`, async (call) => {
    const agent = await getOwnersAgent(deps, call.session.owner.id, call.params.id);
    const hours = readCodeHours(call.fields);
    const issued = await reissueCode(deps, call.actor, { agentId: agent.id, hours });
    const fresh = toFreshCode(call, issued, { handle: agent.handle, reconnects: true });
    return { page: renderConsoleAgentPage(await toAgentPage(call, fresh)) };
  });
  for (const state of ["on", "off"]) {
    act(`/previews/${state}`, ({ actor }, agentId) => allowPreviews(deps, actor, agentId, state === "on"));
  }
  for (const state of ["on", "off"]) {
    act(`/subscriptions/${state}`, ({ actor }, agentId) =>
      allowSubscriptions(deps, actor, agentId, state === "on"),
    );
  }
  act("/subscriptions/:subscription/end", ({ actor, params }, agentId) =>
    endSubscription(deps, actor, agentId, params.subscription ?? ""),
  );
  get(`${PAGE}/reads`, async (call) => {
    const agent = await getOwnersAgent(deps, call.session.owner.id, call.params.id);
    const [reads, most] = await Promise.all([getReadsOfAgent(deps, agent), getMostRead(deps, agent)]);
    const works = most.data.map(({ creation_id: id, ...work }) => ({ id, ...work, ...toReadForms(work) }));
    return { page: renderConsoleReadsPage({ ...frameOf(call), agent, reads: toReadsView(reads), works }) };
  });
};

function readTokenId(params: Record<string, string>): string {
  return toUlid(params.token) ?? "";
}

function readDays(given: string | undefined): number | null {
  if (given === "never") return null;
  const days = Number(given);
  if (!(Number.isInteger(days) && days >= 1 && days <= MOST_DAYS)) {
    throw refuseField("days", `A token ends in 1 to ${MOST_DAYS} days, or never.`);
  }
  return days;
}
