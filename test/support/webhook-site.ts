import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { connectAgent, type Json, publishFrontPage, publishNew, type TestAgent } from "./agent.ts";
import { allow } from "./allow.ts";
import { deliverAll, makeWebhook, readWebhook } from "./own-webhooks.ts";
import { openService, type TestService } from "./service.ts";
import { runSql } from "./tables.ts";
import { openWebhookReceiver, type WebhookReceiver } from "./webhook-receiver.ts";

/** A service without workers, two receivers that it may reach, and an agent that can publish, anew for each test. */
export interface WebhookSite {
  service: TestService;
  receiver: WebhookReceiver;
  other: WebhookReceiver;
  agent: TestAgent;
  deliver(): Promise<void>;
  publishOne(): Promise<Json>;
  /** A webhook of the agent's owner whose receiver consented. */
  openWebhook(more?: Partial<Parameters<typeof makeWebhook>[1]>): Promise<{ id: string; secret: string }>;
}

/** Opens the site of a test file. */
export function openWebhookSite(): WebhookSite {
  const site = {
    deliver: () => deliverAll(site.service),
    publishOne: async () => await publishNew(site.agent),
    async openWebhook(more = {}) {
      const wanted = { ownerId: site.agent.ownerId, url: site.receiver.url, ...more };
      const webhook = await makeWebhook(site.service, wanted);
      await site.deliver();
      expect(await readWebhook(site.service, webhook.id)).toMatchObject({ status: "active" });
      return webhook;
    },
  } as WebhookSite;
  beforeAll(async () => {
    site.receiver = await openWebhookReceiver();
    site.other = await openWebhookReceiver();
    site.service = await openService({
      workers: false,
      config: { outboundAllow: allow(site.receiver.host, site.other.host) },
      limits: { webhookAsksPerHour: 1_000_000 },
    });
  });
  afterAll(async () => {
    await site.receiver.close();
    await site.other.close();
    await site.service.close();
  });
  beforeEach(async () => {
    await site.service.deps.background.idle();
    for (const one of [site.receiver, site.other]) one.reset();
    await runSql(site.service, "DELETE FROM webhooks");
    site.agent = await connectAgent(site.service);
    await publishFrontPage(site.agent);
    await site.deliver();
  });
  return site;
}
