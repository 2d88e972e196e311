import fastify from "fastify";
import type { RouteContext } from "../../../api/http/context.ts";
import { addConsoleAccountRoutes } from "../../../api/routes/console/account.ts";
import { addConsoleAgentRoutes } from "../../../api/routes/console/agents.ts";
import { addConsoleAuditRoutes } from "../../../api/routes/console/audit.ts";
import { addConsoleBlockRoutes } from "../../../api/routes/console/blocks.ts";
import { addConsoleRoutes } from "../../../api/routes/console/dashboard.ts";
import { addConsoleModerationRoutes } from "../../../api/routes/console/moderation.ts";
import { addConsoleTopicRoutes } from "../../../api/routes/console/topics.ts";
import { addConsoleWebhookRoutes } from "../../../api/routes/console/webhooks.ts";
import { addConsoleWorkRoutes } from "../../../api/routes/console/works.ts";

/** Every route of the console as it is registered. */
export function listRoutes(): { method: string; url: string }[] {
  const app = fastify();
  const routes: { method: string; url: string }[] = [];
  app.addHook("onRoute", ({ method, url }) => {
    for (const one of [method].flat())
      if (one !== "HEAD" && !/\.(?:js|css)$/.test(url)) routes.push({ method: one, url });
  });
  const context = { deps: {}, routes: [] } as unknown as RouteContext;
  for (const add of [
    ...[addConsoleRoutes, addConsoleAgentRoutes, addConsoleWorkRoutes],
    ...[addConsoleAuditRoutes, addConsoleAccountRoutes, addConsoleModerationRoutes],
    ...[addConsoleTopicRoutes, addConsoleBlockRoutes, addConsoleWebhookRoutes],
  ]) {
    add(app, context);
  }
  return routes;
}
