import { notFound, Refusal } from "../../../shared/ground/errors.ts";
import { pauseAllAgents } from "../../../shared/identity/agents/agent-states.ts";
import { confirmClaimByLink, findClaimOfOwner } from "../../../shared/identity/agents/claims.ts";
import { issueCode, revokeCode } from "../../../shared/identity/agents/enrolment-codes.ts";
import { ABILITIES } from "../../../shared/identity/credentials/abilities.ts";
import { getOwnersCode } from "../../../shared/identity/owners/dashboard.ts";
import { CONSOLE_STYLESHEET } from "../../../shared/text/stylesheets.ts";
import { type ConsoleAnswer, type ConsoleCall, openConsole } from "../../http/console-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { addImmutableText } from "../../http/immutable-text.ts";
import { readCodeHours, toFreshCode } from "../../pages/console/agent-parts.ts";
import {
  renderClaimPage,
  renderConsolePage,
  toClaimView,
  toDashboard,
} from "../../pages/console/dashboard-page.ts";
import { CONSOLE_SCRIPT } from "../../pages/console/frame.ts";

/** The owner's dashboard: all agents, codes, and the claim of a new agent. */
export const addConsoleRoutes: RouteGroup = (app, context) => {
  const { deps } = context;
  addImmutableText(app, { ...CONSOLE_SCRIPT, type: "text/javascript" });
  addImmutableText(app, { path: CONSOLE_STYLESHEET.path, type: "text/css", text: CONSOLE_STYLESHEET.css });
  const { get, post, limited } = openConsole(app, context);
  get("/console", async (call) => ({ page: renderConsolePage(await toDashboard(call)) }));
  limited("/console/codes", issue);
  post("/console/codes/:id/cancel", async ({ params, actor, session }) => {
    await revokeCode(deps, actor, await getOwnersCode(deps, session.owner.id, params.id));
    return { goTo: "/console" };
  });
  post("/console/pause-all", async ({ actor, session }) => {
    await pauseAllAgents(deps, actor, session.owner.id);
    return { goTo: "/console" };
  });
  get("/claim/:secret", showClaim);
  limited("/claim/:secret", async ({ params, actor, session }) => {
    await confirmClaimByLink(deps, actor, session.owner.id, params.secret ?? "");
    return { goTo: "/console" };
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

async function showClaim(call: ConsoleCall): Promise<ConsoleAnswer> {
  const { context, session, params } = call;
  const claim = await findClaimOfOwner(context.deps, session.owner.id, params.secret ?? "");
  if (claim.agent.claimed_at !== null) return { goTo: "/console" };
  if (claim.expired) throw notFound("claim link any more; renew it on the page of your agents");
  return { page: renderClaimPage(toClaimView(call, claim)) };
}
