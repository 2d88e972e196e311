import type { FastifyReply, FastifyRequest } from "fastify";
import { ownerActor } from "../../shared/audit.ts";
import { confirmClaimByLink, findClaimOfOwner } from "../../shared/claims.ts";
import { listOwnersDesk } from "../../shared/console.ts";
import { issueCode } from "../../shared/enrollments.ts";
import { notFound, Refusal } from "../../shared/errors.ts";
import { toIso } from "../../shared/times.ts";
import { API_ROOT } from "../agent-route.ts";
import { type ConsoleSession, checkForm, readSession } from "../console-session.ts";
import type { Door, RouteGroup } from "../door.ts";
import { HTML } from "../page-route.ts";
import { renderClaimPage } from "../pages/claim-page.ts";
import { type ConsoleView, renderConsolePage } from "../pages/console-page.ts";
import { renderSignInPage } from "../pages/sign-in-pages.ts";
import { siteView } from "../site-view.ts";
import { signInView } from "./sign-in.ts";

/** The owner's desk: agents, codes, and the claim of a new agent. */
export const addConsoleRoutes: RouteGroup = (app, door) => {
  const { deps } = door;
  app.get("/console", async (request, reply) => {
    const session = await readSession(deps, request);
    if (session === null) return askToSignIn(door, request, reply);
    return reply.type(HTML).send(renderConsolePage(await toDesk(door, session, {})));
  });
  app.post("/console/codes", async (request, reply) => {
    const session = await readSession(deps, request);
    if (session === null) return askToSignIn(door, request, reply);
    const fields = checkForm(deps, request, session.csrf);
    const handle = fields.handle?.trim() || null;
    const actor = ownerActor(session.owner.id, request.id);
    try {
      const issued = await issueCode(deps, actor, { ownerId: session.owner.id, handle });
      const freshCode = { code: issued.enrollment_code, handle, expires_at: issued.expires_at };
      return reply.type(HTML).send(renderConsolePage(await toDesk(door, session, { freshCode })));
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) throw error;
      const desk = await toDesk(door, session, { fault: error.message, handle });
      return reply.status(error.status).type(HTML).send(renderConsolePage(desk));
    }
  });
  app.get("/claim/:secret", async (request, reply) => {
    const session = await readSession(deps, request);
    if (session === null) return askToSignIn(door, request, reply);
    return await showClaim(door, session, request, reply);
  });
  app.post("/claim/:secret", async (request, reply) => {
    const session = await readSession(deps, request);
    if (session === null) return askToSignIn(door, request, reply);
    checkForm(deps, request, session.csrf);
    const { secret } = request.params as { secret: string };
    await confirmClaimByLink(deps, ownerActor(session.owner.id, request.id), session.owner.id, secret);
    return reply.redirect("/console", 303);
  });
};

/** Without a session every page of the console is the sign-in page, which tells nothing of what lies behind. */
function askToSignIn(door: Door, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const next = request.method === "GET" ? (request.url.split("?")[0] ?? null) : null;
  return reply.type(HTML).send(renderSignInPage(signInView(door, { next })));
}

async function showClaim(door: Door, session: ConsoleSession, request: FastifyRequest, reply: FastifyReply) {
  const { secret } = request.params as { secret: string };
  const claim = await findClaimOfOwner(door.deps, session.owner.id, secret);
  if (claim.agent.claimed_at !== null) return reply.redirect("/console", 303);
  if (claim.expired) throw notFound("claim link any more; renew it on the page of your agents");
  const view = {
    site: siteView(door.deps),
    csrf: session.csrf,
    action: `/claim/${secret}`,
    consoleUrl: "/console",
    handle: claim.agent.handle,
    display_name: claim.agent.enrolled_name,
    abilities: [...claim.abilities],
    redeemedFrom: claim.redeemedFrom,
    redeemedAt: toIso(claim.redeemedMs),
    expiresAt: toIso(claim.expiresMs),
  };
  return reply.type(HTML).send(renderClaimPage(view));
}

async function toDesk(door: Door, session: ConsoleSession, more: Partial<ConsoleView>): Promise<ConsoleView> {
  const { deps } = door;
  const { email, alias } = session.owner;
  const desk = await listOwnersDesk(deps, session.owner.id);
  return {
    site: siteView(deps),
    csrf: session.csrf,
    baseUrl: `${deps.config.siteUrl}${API_ROOT}`,
    owner: { email, alias },
    agents: desk.agents.map((agent) => ({ ...agent, claimUrl: null })),
    codes: desk.codes.map((code) => ({ ...code, cancelAction: null })),
    freshCode: null,
    fault: null,
    handle: null,
    actions: { issueCode: "/console/codes", signOut: "/sign-out" },
    ...more,
  };
}
