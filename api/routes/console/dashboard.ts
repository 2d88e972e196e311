import { notFound, Refusal } from "../../../shared/ground/errors.ts";
import { toIso } from "../../../shared/ground/times.ts";
import { pauseAllAgents } from "../../../shared/identity/agents/agent-states.ts";
import { confirmClaimByLink, findClaimOfOwner } from "../../../shared/identity/agents/claims.ts";
import { issueCode, revokeCode } from "../../../shared/identity/agents/enrolment-codes.ts";
import { ABILITIES } from "../../../shared/identity/credentials/abilities.ts";
import { getOwnersCode } from "../../../shared/identity/owners/dashboard.ts";
import { CONSOLE_STYLESHEET } from "../../../shared/text/stylesheets.ts";
import { addConsoleRoute, type ConsoleAnswer, type ConsoleCall } from "../../http/console-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { addImmutableText } from "../../http/immutable-text.ts";
import { renderClaimPage } from "../../pages/console/claim-page.ts";
import { renderConsolePage } from "../../pages/console/dashboard-page.ts";
import { CONSOLE_SCRIPT } from "../../pages/console/script.ts";
import { readCodeHours, toDashboard, toFreshCode } from "../../pages/views/console-views.ts";
import { siteView } from "../../pages/views/site-view.ts";

/** The owner's dashboard: all agents, codes, and the claim of a new agent. */
export const addConsoleRoutes: RouteGroup = (app, context) => {
  const { deps } = context;
  addImmutableText(app, { ...CONSOLE_SCRIPT, type: "text/javascript" });
  addImmutableText(app, { path: CONSOLE_STYLESHEET.path, type: "text/css", text: CONSOLE_STYLESHEET.css });
  addConsoleRoute(app, context, {
    method: "GET",
    url: "/console",
    handle: async (call) => ({ page: renderConsolePage(await toDashboard(call)) }),
  });
  addConsoleRoute(app, context, { method: "POST", url: "/console/codes", limited: true, handle: issue });
  addConsoleRoute(app, context, {
    method: "POST",
    url: "/console/codes/:id/cancel",
    async handle({ params, actor, session }) {
      await revokeCode(deps, actor, await getOwnersCode(deps, session.owner.id, params.id));
      return { goTo: "/console" };
    },
  });
  addConsoleRoute(app, context, {
    method: "POST",
    url: "/console/pause-all",
    async handle({ actor, session }) {
      await pauseAllAgents(deps, actor, session.owner.id);
      return { goTo: "/console" };
    },
  });
  addConsoleRoute(app, context, { method: "GET", url: "/claim/:secret", handle: showClaim });
  addConsoleRoute(app, context, {
    method: "POST",
    url: "/claim/:secret",
    limited: true,
    async handle({ params, actor, session }) {
      await confirmClaimByLink(deps, actor, session.owner.id, params.secret ?? "");
      return { goTo: "/console" };
    },
  });
};

async function issue(call: ConsoleCall): Promise<ConsoleAnswer> {
  const { fields, actor, session, context } = call;
  const handle = fields.handle?.trim() || null;
  try {
    const hours = readCodeHours(fields);
    const chosen = ABILITIES.filter((ability) => fields[`may-${ability}`] === "yes");
    const abilities = fields.choose === "yes" ? chosen : ABILITIES;
    const issued = await issueCode(context.deps, actor, {
      ownerId: session.owner.id,
      handle,
      hours,
      abilities,
    });
    const freshCode = toFreshCode(call, issued, { handle, reconnects: false });
    return { page: renderConsolePage(await toDashboard(call, { freshCode })) };
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) throw error;
    const page = renderConsolePage(await toDashboard(call, { fault: error.message, handle }));
    return { page, status: error.status };
  }
}

async function showClaim({ context, session, params }: ConsoleCall): Promise<ConsoleAnswer> {
  const secret = params.secret ?? "";
  const claim = await findClaimOfOwner(context.deps, session.owner.id, secret);
  if (claim.agent.claimed_at !== null) return { goTo: "/console" };
  if (claim.expired) throw notFound("claim link any more; renew it on the page of your agents");
  const page = renderClaimPage({
    site: siteView(context.deps, "owners"),
    csrf: session.csrf,
    action: `/claim/${secret}`,
    consoleUrl: "/console",
    handle: claim.agent.handle,
    display_name: claim.agent.enrolled_name,
    abilities: [...claim.abilities],
    redeemedFrom: claim.redeemedFrom,
    redeemedAt: toIso(claim.redeemedMs),
    expiresAt: toIso(claim.expiresMs),
  });
  return { page };
}
