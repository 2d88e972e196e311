import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Door } from "./door.ts";
import { sendPublic } from "./public-route.ts";

/** A page of the site for readers: no token, no cookie, no limit; always asked for anew, cheaply by its ETag. */
export interface PageRoute {
  url: string;
  handle(input: {
    door: Door;
    params: Record<string, string>;
    /** What stands behind the question mark; nothing in it is refused. */
    query: Record<string, unknown>;
    request: FastifyRequest;
    reply: FastifyReply;
  }): Promise<{ html: string; noindex?: boolean }>;
}

/** Registers a page of the public site. */
export function addPageRoute(app: FastifyInstance, door: Door, route: PageRoute): void {
  app.get(route.url, async (request: FastifyRequest, reply: FastifyReply) => {
    const params = request.params as Record<string, string>;
    const query = request.query as Record<string, unknown>;
    const { html, noindex } = await route.handle({ door, params, query, request, reply });
    reply.header("cache-control", "no-cache");
    return sendPublic(request, reply, { type: HTML, body: html, noindex });
  });
}

export const HTML = "text/html; charset=utf-8";
