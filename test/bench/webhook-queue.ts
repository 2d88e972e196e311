import { setTimeout as delay } from "node:timers/promises";
import { PgBoss } from "pg-boss";
import { Webhook } from "standardwebhooks";
import { openWebhookReceiver } from "../support/webhook-receiver.ts";

const QUEUE = "deliveries";
const LOOPS = 8;

/** The peer: pg-boss carries a job for each delivery, whose worker signs with `standardwebhooks` and posts by fetch. */
export async function sendByQueue(
  databaseUrl: string,
  { aSecond, seconds }: { aSecond: number; seconds: number },
): Promise<number[]> {
  const receiver = await openWebhookReceiver();
  const boss = new PgBoss({ connectionString: databaseUrl, schema: "peer", useListenNotify: true });
  boss.on("error", (error) => console.log(error.message));
  await boss.start();
  await boss.createQueue(QUEUE, { notify: true });
  const webhook = new Webhook(Buffer.alloc(32, 1).toString("base64"));
  await boss.work<{ at: number }>(
    QUEUE,
    { localConcurrency: LOOPS, pollingIntervalSeconds: 0.5 },
    async ([job]) => {
      if (!job) return;
      const body = JSON.stringify({ type: "peer", data: job.data });
      const headers = {
        "content-type": "application/json",
        "webhook-id": job.id,
        "webhook-timestamp": String(Math.floor(Date.now() / 1000)),
        "webhook-signature": webhook.sign(job.id, new Date(), body),
      };
      await fetch(receiver.url, { method: "POST", headers, body });
    },
  );
  const started = performance.now();
  const count = aSecond * seconds;
  for (let n = 0; n < count; n++) {
    const dueMs = started + (n * 1000) / aSecond;
    if (dueMs > performance.now()) await delay(dueMs - performance.now());
    await boss.send(QUEUE, { at: Date.now() });
  }
  // What has not arrived by then counts as if it had arrived now.
  for (let waited = 0; waited < 30 && receiver.received().length < count; waited++) await delay(1_000);
  const delays = receiver.received().map(({ atMs, json }) => atMs - json.data.at);
  await boss.stop({ graceful: false });
  await receiver.close();
  return delays;
}
