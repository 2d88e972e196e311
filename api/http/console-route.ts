import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isModerator } from "../../shared/care/moderation/queue.ts";
import { notFound } from "../../shared/ground/errors.ts";
import { type Actor, moderatorActor, ownerActor } from "../../shared/identity/audit/record-act.ts";
import { type ConsoleSession, checkForm, readSession } from "./console-session.ts";
import type { RouteContext } from "./context.ts";
import { allowOwnScript } from "./hooks/security-headers.ts";
import { HTML } from "./page-route.ts";

/** A request to the console: the signed-in owner, and a form whose origin and token were checked. */
export interface ConsoleCall {
  context: RouteContext;
  session: ConsoleSession;
  /** The owner or the moderator, as the audit records an actor. */
  actor: Actor;
  params: Record<string, string>;
  query: Record<string, unknown>;
  /** The fields of a POST; none with GET. */
  fields: Record<string, string>;
  request: FastifyRequest;
  reply: FastifyReply;
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
export type AddForm = (url: string, act: (call: ConsoleCall) => Promise<unknown>, limited?: boolean) => void;

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
      const answer = await route.handle({
        context,
        session,
        actor: (route.moderators ? moderatorActor : ownerActor)(session.owner.id, request.id),
        params: request.params as Record<string, string>,
        query: request.query as Record<string, unknown>,
        fields,
        request,
        reply,
      });
      return send(reply, answer);
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
