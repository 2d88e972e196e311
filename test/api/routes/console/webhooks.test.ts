import { Webhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { beginDeliveries } from "../../../../shared/webhooks/deliver.ts";
import { type OwnerDashboard, openDashboard } from "../../../support/owner-dashboard.ts";
import { openService, type TestService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import {
  openWebhookReceiver,
  type Received,
  type WebhookReceiver,
} from "../../../support/webhook-receiver.ts";

let service: TestService;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await openWebhookReceiver();
  service = await openService({ workers: false, config: { outboundAllow: [receiver.host] } });
  // Verifiers compare with the clock of this machine.
  service.clock.nowMs = Date.now();
});
afterAll(async () => {
  await receiver.close();
  await service.close();
});

/** Sends what is due, and all that follows at once. */
async function deliver(): Promise<void> {
  await beginDeliveries(service.deps);
  await service.deps.background.idle();
}

async function add(owner: OwnerDashboard, fields: Record<string, string> = {}) {
  const reply = await owner.post("/console/webhooks", {
    ...{ url: receiver.url, "type-creation.published": "yes" },
    ...fields,
  });
  const [row] = await runSql(
    service,
    "SELECT id FROM webhooks WHERE owner_id = $1 ORDER BY id DESC LIMIT 1",
    [owner.ownerId],
  );
  const secret = /whsec_[A-Za-z0-9+/=]+/.exec(reply.text)?.[0] ?? "";
  return { reply, id: row?.id, secret, page: `/console/webhooks/${row?.id}` };
}

describe("a webhook in the console", () => {
  test("is silent until its receiver consents, and then is sent a test that others verify", async () => {
    const owner = await openDashboard(service, "Nora");
    const { reply, secret, page } = await add(owner);
    expect([reply.status, secret.length]).toEqual([200, 50]);
    expect((await owner.post(`${page}/test`)).status).toBe(409);
    expect(receiver.all).toEqual([]);
    await deliver();
    expect((await owner.get(page)).text).toContain("Active");
    await owner.post(`${page}/test`);
    await deliver();
    const { headers, text, json } = receiver.received().at(-1) as Received;
    expect(json.type).toBe("webhook.test");
    for (const Verifier of [Webhook, SvixWebhook]) {
      const told = headers as Record<string, string>;
      expect(() => new Verifier(secret).verify(text, told)).not.toThrow();
      expect(() => new Verifier(secret).verify(`${text} `, told)).toThrow();
    }
  });
});
