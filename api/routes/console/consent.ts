import type { FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../../../shared/ground/errors.ts";
import { ownerActor } from "../../../shared/identity/audit/record-act.ts";
import {
  type AuthorizationRequest,
  answerWithError,
  readAuthorizationRequest,
} from "../../../shared/identity/oauth/authorization-request.ts";
import { allowRequest, NEW_AGENT, readConsent } from "../../../shared/identity/oauth/consent.ts";
import { endConnection } from "../../../shared/identity/oauth/grants.ts";
import { OAuthError } from "../../../shared/identity/oauth/parameters.ts";
import { type ConsoleSession, checkForm, readSession } from "../../http/console-session.ts";
import type { RouteContext, RouteGroup } from "../../http/context.ts";
import { groupAddress } from "../../http/hooks/rate-limits.ts";
import { sendAnswersElsewhere } from "../../http/hooks/security-headers.ts";
import { CONSENT_PATH, readNext } from "../../http/next-path.ts";
import { HTML } from "../../http/page-route.ts";
import {
  type AgainView,
  renderBrokenRequestPage,
  renderConsentPage,
  toConsentPage,
} from "../../pages/console/consent-page.ts";
import { siteView } from "../../pages/parts/layout.ts";
import { sendSignIn } from "./sign-in.ts";

interface ConsentCall {
  context: RouteContext;
  session: ConsoleSession;
  asked: AuthorizationRequest;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Where an owner decides whether a program may act as an agent. Both methods read the request anew from the address. */
export const addConsentRoutes: RouteGroup = (app, context) => {
  app.get(CONSENT_PATH, (request, reply) =>
    open(context, request, reply, (call) => sendPage(call, 200, null)),
  );
  app.post(CONSENT_PATH, (request, reply) => open(context, request, reply, decide));
};

async function open(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  proceed: (call: ConsentCall) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const session = await readSession(context.deps, request);
  if (session === null) {
    const status = request.method === "POST" ? 401 : 200;
    return sendSignIn(context, reply, status, { next: readNext(request.url) });
  }
  sendAnswersElsewhere(reply, false);
  const mayFetch = () => context.rateLimits.take("enrolments", `owner:${session.owner.id}`, reply);
  try {
    const query = request.query as Record<string, unknown>;
    const asked = await readAuthorizationRequest(context.deps, query, mayFetch);
    if ("answer" in asked) {
      if (asked.redirects) return reply.redirect(asked.answer, 303);
      const page = renderBrokenRequestPage(siteView(context.deps, "owners"), asked.message, asked.answer);
      return reply.status(400).type(HTML).send(page);
    }
    return await proceed({ context, session, asked, request, reply });
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const page = renderBrokenRequestPage(siteView(context.deps, "owners"), error.message);
    return reply.status(error.status).type(HTML).send(page);
  }
}

async function sendPage(call: ConsentCall, status: number, again: AgainView | null): Promise<FastifyReply> {
  const { context, session, asked, request, reply } = call;
  const view = await toConsentPage(context.deps, session, asked, { action: request.url, again });
  return reply.status(status).type(HTML).send(renderConsentPage(view));
}

async function decide(call: ConsentCall): Promise<FastifyReply> {
  const { context, session, asked, request, reply } = call;
  const fields = checkForm(context.deps, request, session.csrf);
  const actor = ownerActor(session.owner.id, request.id);
  if (fields.decision === "end") {
    await endConnection(context.deps, actor, {
      grantId: fields.grant,
      ownerId: session.owner.id,
      by: "owner",
    });
    return reply.redirect(request.url, 303);
  }
  if (fields.decision !== "allow") {
    const refused = new OAuthError("access_denied", "The owner refused.");
    return reply.redirect(answerWithError(context.deps, asked.redirectUri, asked.state, refused), 303);
  }
  try {
    const consent = readConsent(fields, asked.abilities);
    if (fields.agent === NEW_AGENT) {
      await context.rateLimits.take("enrolments", groupAddress(request.ip), reply);
    }
    return reply.redirect(await allowRequest(context.deps, actor, session.owner.id, asked, consent), 303);
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500 || error.status === 429) throw error;
    return await sendPage(call, error.status, { fields, refusal: error });
  }
}
