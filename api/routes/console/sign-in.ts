import type { FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../../../shared/ground/errors.ts";
import { readEmail, readUserAgent } from "../../../shared/identity/sign-in/owner-fields.ts";
import { signInByPasskey, startPasskeySignIn } from "../../../shared/identity/sign-in/passkeys.ts";
import { type Device, endSession, type OpenedSession } from "../../../shared/identity/sign-in/sessions.ts";
import { findLink, mailSignInLink, signIn } from "../../../shared/identity/sign-in/sign-in-links.ts";
import { mailSignUpLink } from "../../../shared/identity/sign-in/sign-up.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import { openAfterAnswer } from "../../http/after-answer.ts";
import { checkForm, clearSession, csrfOf, readSession, setSession } from "../../http/console-route.ts";
import type { RouteContext, RouteGroup } from "../../http/context.ts";
import { groupAddress } from "../../http/hooks/rate-limits.ts";
import { allowOwnScript } from "../../http/hooks/security-headers.ts";
import { leadOn, readNext } from "../../http/next-path.ts";
import { HTML } from "../../http/page-route.ts";
import {
  renderSignInConfirmPage,
  renderSignInPage,
  renderSignInSentPage,
  SIGN_IN_CSRF,
  type SignInWishes,
  signInView,
} from "../../pages/console/sign-in-pages.ts";
import { siteView } from "../../pages/parts/layout.ts";

const LINK_MINUTES = 60;

/** Owners sign in by a link or a passkey. GET of a link shows a button; POST uses it up and signs in. */
export const addSignInRoutes: RouteGroup = (app, context) => {
  const { deps } = context;
  const afterAnswer = openAfterAnswer(app, deps);
  app.get("/sign-in", async (request, reply) => {
    const { next } = request.query as { next?: string };
    return sendSignIn(context, reply, 200, { next: readNext(next) });
  });
  app.post("/sign-in", async (request, reply) => {
    const fields = checkForm(deps, request, SIGN_IN_CSRF);
    await context.rateLimits.take("enrolments", groupAddress(request.ip), reply);
    const email = readEmailOrFault(fields.email ?? "");
    if (typeof email !== "string") {
      const next = readNext(fields.next);
      return sendSignIn(context, reply, 422, { email: fields.email ?? null, fault: email.message, next });
    }
    const [next, { ip }] = [readNext(fields.next), request];
    // The time of the answer must not tell who has an account.
    afterAnswer(reply, async () => {
      if (await mailSignInLink(deps, email, next)) return;
      await mailSignUpLink(deps, email, next, () => context.rateLimits.takeSignUp(ip));
    });
    const { signUp } = deps.config;
    const view = { site: siteView(deps), minutes: LINK_MINUTES, signInUrl: "/sign-in", signUp };
    return reply.type(HTML).send(renderSignInSentPage(view));
  });
  app.get("/sign-in/:secret", async (request, reply) => {
    const { secret } = request.params as { secret: string };
    const link = await findLink(deps, secret);
    if (link === null) {
      const fault = "This link was used or has expired. Ask for another one.";
      return sendSignIn(context, reply, 404, { fault });
    }
    const next = readNext((request.query as { next?: string }).next);
    const form = { csrf: csrfOf(secret), action: `/sign-in/${secret}`, next };
    const view = { site: siteView(deps), ...form, ...link };
    leadOn(reply, next, false);
    return reply.type(HTML).send(renderSignInConfirmPage(view));
  });
  app.post("/sign-in/:secret", async (request, reply) => {
    const { secret } = request.params as { secret: string };
    await context.rateLimits.take("enrolments", groupAddress(request.ip), reply);
    const fields = checkForm(deps, request, csrfOf(secret));
    const session = await signIn(deps, secret, deviceOf(request));
    return enter(deps, reply, session, readNext(fields.next));
  });
  addPasskeySignIn(app, context);
  app.post("/sign-out", async (request, reply) => {
    const session = await readSession(deps, request);
    if (session) {
      checkForm(deps, request, session.csrf);
      await endSession(deps, session, session.sessionId, request.id);
    }
    clearSession(deps, reply);
    return reply.redirect("/sign-in", 303);
  });
};

const addPasskeySignIn: RouteGroup = (app, context) => {
  const { deps } = context;
  app.post("/sign-in/passkey/options", async (request, reply) => {
    checkForm(deps, request, SIGN_IN_CSRF);
    await context.rateLimits.take("enrolments", groupAddress(request.ip), reply);
    return reply.send(await startPasskeySignIn(deps));
  });
  app.post("/sign-in/passkey", async (request, reply) => {
    const fields = checkForm(deps, request, SIGN_IN_CSRF);
    await context.rateLimits.take("enrolments", groupAddress(request.ip), reply);
    try {
      const session = await signInByPasskey(deps, fields.response ?? "", deviceOf(request));
      return enter(deps, reply, session, readNext(fields.next));
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "validation_failed") throw error;
      const next = readNext(fields.next);
      return sendSignIn(context, reply, 422, { passkeyFault: error.message, next });
    }
  });
};

function enter(deps: Deps, reply: FastifyReply, session: OpenedSession, next: string | null): FastifyReply {
  setSession(deps, reply, session.sessionSecret, session.expiresMs);
  leadOn(reply, next, false);
  return reply.redirect(next ?? "/console", 303);
}

/** Asks who the visitor is; `more.next` is the path that was asked for. */
export function sendSignIn(
  context: RouteContext,
  reply: FastifyReply,
  status: number,
  more: SignInWishes,
): FastifyReply {
  allowOwnScript(reply);
  leadOn(reply, more.next ?? null, true);
  return reply
    .status(status)
    .type(HTML)
    .send(renderSignInPage(signInView(context, more)));
}

function readEmailOrFault(given: string): string | Refusal {
  try {
    return readEmail(given);
  } catch (error) {
    if (error instanceof Refusal && error.code === "validation_failed") return error;
    throw error;
  }
}

function deviceOf(request: FastifyRequest): Device {
  const userAgent = readUserAgent(request.headers["user-agent"]);
  return { requestId: request.id, address: request.ip, userAgent };
}
