import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { sequenceEvents } from "../../shared/trust/events/sequence-events.ts";
import { beginDeliveries } from "../../shared/trust/webhooks/deliver.ts";
import { addWebhook, readWebhookSecret } from "../../shared/trust/webhooks/own-webhooks.ts";
import type { Json } from "./agent.ts";
import type { TestService } from "./service.ts";
import { runSql } from "./tables.ts";

/** Tells what was done, and begins to send what is due. */
export async function beginAll({ deps }: TestService): Promise<void> {
  await sequenceEvents(deps);
  await beginDeliveries(deps);
}

/** Tells what was done, and sends all that is due, until nothing is. */
export async function deliverAll(service: TestService): Promise<void> {
  await beginAll(service);
  await service.deps.background.idle();
}

/** Adds a webhook by command; its receiver is asked with the next delivery. */
export async function makeWebhook(
  service: TestService,
  wanted: { ownerId: string; url: string; types?: readonly string[]; agentId?: string },
): Promise<{ id: string; secret: string }> {
  const { ownerId, url, types = ["creation.published"], agentId = null } = wanted;
  const webhook = await addWebhook(service.deps, COMMAND_LINE, { ownerId, url, types, agentId });
  return { id: webhook.id, secret: await readWebhookSecret(service.deps, webhook) };
}

/** The rows of what is sent to a webhook but questions for consent, the oldest first. */
export async function listSent(service: TestService, webhookId: string): Promise<Json[]> {
  return await runSql(
    service,
    "SELECT * FROM webhook_deliveries WHERE webhook_id = $1 AND type <> 'webhook.verify' ORDER BY message_id",
    [webhookId],
  );
}

/** The row of a webhook. */
export async function readWebhook(service: TestService, webhookId: string): Promise<Json> {
  return (await runSql(service, "SELECT * FROM webhooks WHERE id = $1", [webhookId]))[0];
}
