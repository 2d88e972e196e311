import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { isModerator } from "../../shared/care/moderation/queue.ts";
import { notFound, refuse } from "../../shared/ground/errors.ts";
import { type Actor, moderatorActor, ownerActor } from "../../shared/identity/audit/record-act.ts";
import { hashSecret } from "../../shared/identity/credentials/tokens.ts";
import { relyingPartyOf } from "../../shared/identity/sign-in/passkeys.ts";
import { findSignedIn, type SignedIn } from "../../shared/identity/sign-in/sessions.ts";
import type { Config } from "../../shared/platform/config.ts";
import type { Deps } from "../../shared/platform/deps.ts";
import { type RouteContext, type RouteRequest, toRouteRequest } from "./context.ts";
import { allowOwnScript } from "./hooks/security-headers.ts";
import { HTML } from "./page-route.ts";

/** A request to the console: the signed-in owner, and a form whose origin and token were checked. */
export interface ConsoleCall extends RouteRequest {
  session: ConsoleSession;
  /** The owner or the moderator, as the audit records an actor. */
  actor: Actor;
  /** The fields of a POST; none with GET. */
  fields: Record<string, string>;
}

/** A console route's answer: a page, a redirect, data for the console's script, or a reply already sent. */
export type ConsoleAnswer =
  // A page that shows an agent's work runs no script at all, not even ours.
  | { page: string; status?: number; scripts?: false }
  | { goTo: string }
  | { json: unknown }
  | { sent: FastifyReply };

/** One address of the console. Only POST changes anything, and only with the session's own token. */
export interface ConsoleRoute {
  method: "GET" | "POST";
  url: string;
  /** Whether calls count against the owner's attempts a minute, from whatever address. */
  limited?: boolean;
  /** For moderators only; every other owner gets 404. */
  moderators?: boolean;
  /** The time limit for sending an answer that takes longer than a page. */
  timeoutMs?: number;
  handle(call: ConsoleCall): Promise<ConsoleAnswer>;
}

/** Adds a form to the account page, which then shows the text that `act` returns, or is opened anew without one. */
export type AddForm = (url: string, act: (call: ConsoleCall) => Promise<unknown>) => void;

/** Registers a console route. Without a session it answers with the sign-in page; to a POST with 401. */
export function addConsoleRoute(app: FastifyInstance, context: RouteContext, route: ConsoleRoute): void {
  app.route({
    method: route.method,
    url: route.url,
    ...(route.timeoutMs === undefined ? {} : { handlerTimeout: route.timeoutMs }),
    handler: async (request, reply) => {
      const session = await readSession(context.deps, request);
      if (session === null) return askToSignIn(context, request, reply);
      if (route.moderators && !isModerator(session.owner)) throw notFound("page");
      if (route.moderators) request.callerKind = "moderator";
      const fields = route.method === "POST" ? checkForm(context.deps, request, session.csrf) : {};
      if (route.limited) {
        await context.rateLimits.take("enrolments", `owner:${session.owner.id}`, reply);
      }
      const actor = (route.moderators ? moderatorActor : ownerActor)(session.owner.id, request.id);
      const call = { ...toRouteRequest(context, request, reply), session, actor, fields };
      return send(reply, await route.handle(call));
    },
  });
}

function send(reply: FastifyReply, answer: ConsoleAnswer): FastifyReply {
  if ("sent" in answer) return answer.sent;
  if ("goTo" in answer) return reply.redirect(answer.goTo, 303);
  if ("json" in answer) return reply.type("application/json; charset=utf-8").send(answer.json);
  if (answer.scripts !== false) allowOwnScript(reply);
  return reply
    .status(answer.status ?? 200)
    .type(HTML)
    .send(answer.page);
}

function askToSignIn(context: RouteContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const next = request.method === "GET" ? (request.url.split("?")[0] ?? null) : null;
  allowOwnScript(reply);
  return reply
    .status(request.method === "POST" ? 401 : 200)
    .type(HTML)
    .send(request.server.ownPages.renderSignIn(context, next));
}

/** The session cookie's name, and whether it is Secure, as it is wherever browsers accept that. */
export function sessionCookieOf(config: Config): { name: string; secure: boolean } {
  const { protocol, hostname } = new URL(config.siteUrl);
  const secure = protocol === "https:" || hostname === "localhost";
  return { name: secure ? "__Host-bs" : "bs", secure };
}

/** Logs at start the protection and the passkeys that owners lose by the site's address. */
export function warnOfAddress(config: Config, log: Logger): void {
  if (!sessionCookieOf(config).secure) {
    log.warn("SITE_URL is neither https nor localhost: browsers send the owners' session cookie unprotected");
  }
  if (relyingPartyOf(config) === null) {
    log.warn("SITE_URL holds an IP address, for which browsers make no passkeys: they are switched off");
  }
}

/** A signed-in request: its owner, and the secret that its forms are bound to. */
export interface ConsoleSession extends SignedIn {
  csrf: string;
}

/** The session behind a request's cookie, or null. */
export async function readSession(deps: Deps, request: FastifyRequest): Promise<ConsoleSession | null> {
  const secret = request.cookies[sessionCookieOf(deps.config).name];
  const signedIn = await findSignedIn(deps, secret);
  if (signedIn !== null) request.callerKind = "owner";
  return signedIn && secret ? { ...signedIn, csrf: csrfOf(secret) } : null;
}

/** Sets the session cookie, which holds only a random secret; the session is a row. */
export function setSession(deps: Deps, reply: FastifyReply, secret: string, expiresMs: number): void {
  const { name, secure } = sessionCookieOf(deps.config);
  const expires = new Date(expiresMs);
  reply.setCookie(name, secret, { path: "/", httpOnly: true, sameSite: "lax", secure, expires });
}

/** Clears the session cookie. */
export function clearSession(deps: Deps, reply: FastifyReply): void {
  const { name, secure } = sessionCookieOf(deps.config);
  reply.clearCookie(name, { path: "/", httpOnly: true, sameSite: "lax", secure });
}

/** The token that a form must carry, derived from a secret that another site cannot know. */
export function csrfOf(secret: string): string {
  return hashSecret(`csrf:${secret}`).slice(0, 43);
}

/** Refuses a form that another site sent or that lacks its own secret. */
export function checkForm(deps: Deps, request: FastifyRequest, csrf: string): Record<string, string> {
  const { origin } = request.headers;
  const site = request.headers["sec-fetch-site"];
  const foreign = origin !== undefined && origin !== new URL(deps.config.siteUrl).origin;
  if (foreign || (site !== undefined && site !== "same-origin" && site !== "none")) {
    throw refuse(
      "forbidden",
      "This form was sent from another site.",
      "Open the page again and send it from there.",
    );
  }
  const fields = (request.body ?? {}) as Record<string, unknown>;
  if (fields.csrf !== csrf) {
    throw refuse(
      "forbidden",
      "This form is not valid any more.",
      "Open the page again and send it from there.",
    );
  }
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => typeof value === "string"),
  ) as Record<string, string>;
}

type Handle = ConsoleRoute["handle"];
type Special = Omit<ConsoleRoute, "method" | "url" | "handle">;

/** Adds pages by `get`, forms by `post` or `limited`; what is special about all of them, or about one, comes last. */
export function openConsole(app: FastifyInstance, context: RouteContext, shared: Special = {}) {
  const add =
    (method: ConsoleRoute["method"], limited = false) =>
    (url: string, handle: Handle, special: Special = {}) =>
      addConsoleRoute(app, context, { method, url, limited, ...shared, ...special, handle });
  return { get: add("GET"), post: add("POST"), limited: add("POST", true) };
}
