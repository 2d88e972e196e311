import { Refusal } from "../../shared/errors.ts";
import { isLinkOpen, mailSignInLink, signIn, signOut } from "../../shared/sign-ins.ts";
import { checkForm, clearSession, csrfOf, readSession, setSession } from "../console-session.ts";
import type { Door, RouteGroup } from "../door.ts";
import { HTML } from "../page-route.ts";
import {
  renderSignInConfirmPage,
  renderSignInPage,
  renderSignInSentPage,
  type SignInView,
} from "../pages/sign-in-pages.ts";
import { groupAddress } from "../plugins/rate-limits.ts";
import { siteView } from "../site-view.ts";

const LINK_MINUTES = 60;
// The form before a session has no secret to be bound to; its Origin is what is checked.
const NO_SECRET = "sign-in";

/** Owners sign in by a link: GET shows a button and uses nothing up, POST signs in, once. */
export const addSignInRoutes: RouteGroup = (app, door) => {
  const { deps } = door;
  app.get("/sign-in", async (request, reply) => {
    const { next } = request.query as { next?: string };
    return reply.type(HTML).send(renderSignInPage(signInView(door, { next: readNext(next) })));
  });
  app.post("/sign-in", async (request, reply) => {
    const fields = checkForm(deps, request, csrfOf(NO_SECRET));
    await door.rateLimits.take("enrolments", groupAddress(request.ip), reply);
    try {
      await mailSignInLink(deps, fields.email ?? "");
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "validation_failed") throw error;
      const view = signInView(door, { email: fields.email ?? null, fault: error.message });
      return reply.status(422).type(HTML).send(renderSignInPage(view));
    }
    const view = { site: siteView(deps), minutes: LINK_MINUTES, signInUrl: "/sign-in" };
    return reply.type(HTML).send(renderSignInSentPage(view));
  });
  app.get("/sign-in/:secret", async (request, reply) => {
    const { secret } = request.params as { secret: string };
    if (!(await isLinkOpen(deps, secret))) {
      const fault = "This link was used or has expired. Ask for another one.";
      return reply
        .status(404)
        .type(HTML)
        .send(renderSignInPage(signInView(door, { fault })));
    }
    const view = { site: siteView(deps), csrf: csrfOf(secret), action: `/sign-in/${secret}`, next: null };
    return reply.type(HTML).send(renderSignInConfirmPage(view));
  });
  app.post("/sign-in/:secret", async (request, reply) => {
    const { secret } = request.params as { secret: string };
    await door.rateLimits.take("enrolments", groupAddress(request.ip), reply);
    const fields = checkForm(deps, request, csrfOf(secret));
    const session = await signIn(deps, secret, request.id);
    setSession(deps, reply, session.sessionSecret, session.expiresMs);
    return reply.redirect(readNext(fields.next) ?? "/console", 303);
  });
  app.post("/sign-out", async (request, reply) => {
    const session = await readSession(deps, request);
    if (session) {
      checkForm(deps, request, session.csrf);
      await signOut(deps, session, request.id);
    }
    clearSession(deps, reply);
    return reply.redirect("/sign-in", 303);
  });
};

/** The page that asks for an address, for whoever comes without a session. */
export function signInView(door: Door, more: Partial<SignInView>): SignInView {
  const base = { email: null, fault: null, next: null };
  return { site: siteView(door.deps), csrf: csrfOf(NO_SECRET), action: "/sign-in", ...base, ...more };
}

/** Only a path of our own may be gone to after signing in. */
function readNext(next: string | undefined): string | null {
  return next !== undefined && /^\/(?![/\\])[\w\-/]*$/.test(next) ? next : null;
}
