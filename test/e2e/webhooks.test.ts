import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { runAgentCommand } from "../../shared/identity/agents/agent-states.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { addWebhook, readWebhookSecret } from "../../shared/trust/webhooks/own-webhooks.ts";
import { findAgentById } from "../../sql/identity/agents.ts";
import { enrolAgent } from "../support/http-agent.ts";
import { openServiceOfRun } from "../support/real-service.ts";
import { until } from "../support/service-process.ts";
import { runSql } from "../support/tables.ts";
import { openWebhookReceiver } from "../support/webhook-receiver.ts";

const ACTS = 40;
const KILLED_AFTER = 5;
/** A clock ahead of the killed worker's: what it began counts as given up, without a wait of half a minute. */
const LATER = { NODE_ENV: "test", CLOCK_OFFSET_MS: "60000" };

const receiver = await openWebhookReceiver();
const service = await openServiceOfRun({ OUTBOUND_ALLOW: receiver.host });

test("each event arrives at least once, though a worker is killed in the middle", async () => {
  const api = await service.startApi();
  const { id: agentId } = await enrolAgent(service.deps, api.url, "killed");
  const ownerId = (await findAgentById(service.deps.pool, agentId))?.owner_id ?? "";
  const types = ["agent.paused", "agent.resumed"];
  const wanted = { ownerId, url: receiver.url, types, agentId: null };
  const webhook = await addWebhook(service.deps, COMMAND_LINE, wanted);
  const worker = await service.startWorkers(["deliver"]);
  const isActive = async () => (await runSql(service, "SELECT status FROM webhooks"))[0].status === "active";
  await until(isActive, 10_000);
  // Nothing is answered while the worker lives, but the first few.
  receiver.answer = (reply) => {
    if (receiver.received().length <= KILLED_AFTER) reply.writeHead(204).end();
  };
  for (let act = 0; act < ACTS; act++) {
    await runAgentCommand(service.deps, COMMAND_LINE, agentId, act % 2 === 0 ? "pause" : "resume", null);
  }
  await until(() => receiver.received().length > KILLED_AFTER, 10_000);
  worker.child.kill("SIGKILL");
  await worker.ended;
  receiver.answer = (reply) => void reply.writeHead(204).end();
  await service.startWorkers(["deliver"], LATER);
  const isDone = async () => {
    const [{ count }] = await runSql(
      service,
      "SELECT count(*)::int AS count FROM webhook_deliveries WHERE state = 'delivered' AND position IS NOT NULL",
    );
    return count === ACTS;
  };
  await until(isDone, 30_000);
  const ids = new Set(receiver.received().map(({ headers }) => headers["webhook-id"]));
  expect(ids.size).toBe(ACTS);
  expect(receiver.received().length).toBeGreaterThan(ACTS);
  const secret = await readWebhookSecret(service.deps, webhook);
  const [first] = receiver.received();
  expect(() =>
    new Webhook(secret).verify(first?.text ?? "", first?.headers as Record<string, string>),
  ).not.toThrow();
});
