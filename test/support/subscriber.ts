import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { modern } from "../api/mcp/rpc.ts";
import type { Json } from "./agent.ts";
import { runSql } from "./tables.ts";
import type { WebhookSite } from "./webhook-site.ts";

/** A secret as a client makes it. */
export const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

/** A tool client of a site's agent that has events sent to the site's receiver. */
export function openSubscriber(site: WebhookSite) {
  const subscriber = {
    secret: newSecret(),
    ask: (method: string, params: Json) => modern(site.service, method, params, { token: site.agent.token }),
    wish: (more: Json = {}): Json => ({
      name: "creation.published",
      delivery: { mode: "webhook", url: site.receiver.url, secret: subscriber.secret },
      ...more,
    }),
    async subscribe(more: Json = {}): Promise<Json> {
      const { json } = await subscriber.ask("events/subscribe", subscriber.wish(more));
      expect(json.error).toBeUndefined();
      return json.result;
    },
    async errorOf(params: Json, method = "events/subscribe"): Promise<Json> {
      return (await subscriber.ask(method, params)).json.error;
    },
    bodies: (): Json[] => site.receiver.received().map(({ json }) => json),
    countRows: async () => (await runSql(site.service, "SELECT 1 FROM webhooks")).length,
  };
  return subscriber;
}
