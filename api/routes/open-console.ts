import type { FastifyInstance } from "fastify";
import { addConsoleRoute, type ConsoleRoute } from "../http/console-route.ts";
import type { RouteContext } from "../http/context.ts";

type Handle = ConsoleRoute["handle"];
type Special = Omit<ConsoleRoute, "method" | "url" | "handle">;

/** Adds pages by `get` and forms by `post`; what is special about all of them, or about one, comes last. */
export function openConsole(app: FastifyInstance, context: RouteContext, shared: Special = {}) {
  const add =
    (method: ConsoleRoute["method"]) =>
    (url: string, handle: Handle, special: Special = {}) =>
      addConsoleRoute(app, context, { method, url, ...shared, ...special, handle });
  return { get: add("GET"), post: add("POST") };
}
