import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { PageSubject } from "../../shared/readers/page-cache.ts";
import { renderInTime } from "../plugins/time-limits.ts";
import type { Door } from "./context.ts";
import { sendFinished } from "./public-route.ts";
import { readFinished } from "./read-finished.ts";
import { type FinishedAnswer, finishAnswer, nameAnswer, PAGE_CACHING } from "./response.ts";

/** A page of the site for readers: no token, no cookie, no limit; always asked for anew, cheaply by its ETag. */
export interface PageRoute {
  url: string;
  /** What all that the page shows depends on: it is made once for each state of that. Left out: made at each request. */
  subjectOf?(params: Record<string, string>): PageSubject | null;
  handle(input: {
    door: Door;
    params: Record<string, string>;
    /** What stands behind the question mark; nothing in it is refused. A page with a subject does not depend on it. */
    query: Record<string, unknown>;
    request: FastifyRequest;
    reply: FastifyReply;
  }): Promise<{ html: string; noindex?: boolean }>;
}

/** Registers a page of the public site. */
export function addPageRoute(app: FastifyInstance, door: Door, route: PageRoute): void {
  const config = { boundsItself: true };
  app.get(route.url, { config }, async (request: FastifyRequest, reply: FastifyReply) => {
    const params = request.params as Record<string, string>;
    const make = async (within: Door): Promise<FinishedAnswer> => {
      const query = request.query as Record<string, unknown>;
      const { html, noindex } = await route.handle({ door: within, params, query, request, reply });
      return finishAnswer({ type: HTML, body: html, noindex });
    };
    const subject = route.subjectOf?.(params) ?? null;
    const makeInTime = (within: Door) => renderInTime(make(within));
    const name = nameAnswer(route.url, params);
    const answer = await readFinished(door, subject, name, makeInTime);
    if (subject !== null) door.addresses.note(request.url, { subject, name, route: route.url });
    reply.headers(PAGE_CACHING);
    return sendFinished(request, reply, answer);
  });
}

export const HTML = "text/html; charset=utf-8";
