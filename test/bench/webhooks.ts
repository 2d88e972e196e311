import { setTimeout as delay } from "node:timers/promises";
import { decodeTime } from "ulid";
import { runAgentCommand } from "../../shared/identity/agents/agent-states.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { addWebhook } from "../../shared/trust/webhooks/own-webhooks.ts";
import { findAgentById } from "../../sql/identity/agents.ts";
import { enrolAgent } from "../support/http-agent.ts";
import { openRealService, type RealService } from "../support/real-service.ts";
import { until } from "../support/service-process.ts";
import { runSql } from "../support/tables.ts";
import { openWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";
import { printMeasurements } from "./report.ts";
import { sendByQueue } from "./webhook-queue.ts";

const AGENTS = 20;
/** Each act is told to two webhooks, so that twice as many deliveries are sent. */
const ACTS_A_SECOND = 100;
const SECONDS = 20;
const TARGET_MS = 1_000;
const SLOW_MS = 10_000;
const TYPES = ["agent.paused", "agent.resumed"];

/**
 * Commits a hundred acts a second, each told to two webhooks, and to a third one whose receiver takes ten seconds for
 * each answer. Measures the time from an act to its arrival, beside a queue of pg-boss that has a job for each delivery.
 */
export async function run(): Promise<string[]> {
  const [one, two, slow] = await Promise.all([1, 2, 3].map(openWebhookReceiver));
  if (!one || !two || !slow) throw new Error("a receiver is missing");
  slow.answer = (reply) => void setTimeout(() => reply.writeHead(204).end(), SLOW_MS);
  const service = await openRealService({
    env: { OUTBOUND_ALLOW: [one, two, slow].map(({ host }) => host).join(",") },
  });
  try {
    const agents = await fill(service, [one, two, slow]);
    const started = performance.now();
    // Two at once: one act takes nearly as long as the pause to the next one.
    await Promise.all([0, 1].map((half) => act(service, agents, half)));
    const actedS = (performance.now() - started) / 1000;
    await until(() => [one, two].every((each) => each.received().length === ACTS_A_SECOND * SECONDS), 60_000);
    const seconds = (performance.now() - started) / 1000;
    const ours = [one, two].flatMap(listDelays);
    const peer = await sendByQueue(service.databaseUrl, { aSecond: 2 * ACTS_A_SECOND, seconds: SECONDS });
    console.log(
      `${ours.length} deliveries in ${seconds.toFixed(1)} s, ${(ours.length / seconds).toFixed(0)} a second;` +
        ` the acts took ${actedS.toFixed(1)} s`,
    );
    const missed = printMeasurements(
      `from an act to its arrival at ${2 * ACTS_A_SECOND} deliveries a second`,
      [
        { name: "webhooks", milliseconds: ours, target: TARGET_MS },
        { name: "pg-boss, a job for each delivery", milliseconds: peer },
      ],
    );
    // Where the machine is late with the acts, deliveries are as fast as these.
    const isSlow = seconds > Math.max(SECONDS * 1.1, actedS + 1);
    return isSlow ? [...missed, "webhooks: fewer than 200 deliveries a second"] : missed;
  } finally {
    await service.close();
    await Promise.all([one, two, slow].map((receiver) => receiver.close()));
  }
}

/** Agents of owners who each have three webhooks, and the worker that sends. */
async function fill(service: RealService, receivers: readonly WebhookReceiver[]): Promise<string[]> {
  const { deps } = service;
  const api = await service.startApi();
  const agents: string[] = [];
  for (let n = 0; n < AGENTS; n++) {
    const { id } = await enrolAgent(deps, api.url, `told-${n}`);
    const ownerId = (await findAgentById(deps.pool, id))?.owner_id ?? "";
    for (const { url } of receivers) {
      await addWebhook(deps, COMMAND_LINE, { ownerId, url, types: TYPES, agentId: null });
    }
    agents.push(id);
  }
  api.child.kill("SIGTERM");
  await api.ended;
  await service.startWorkers(["deliver"]);
  const isReady = async () =>
    (await runSql(service, "SELECT id FROM webhooks WHERE status <> 'active'")).length === 0;
  await until(isReady, 30_000);
  return agents;
}

/** Pauses and resumes every second agent in turn, half as many times a second as all acts together. */
async function act(service: RealService, all: readonly string[], half: number): Promise<void> {
  const agents = all.filter((_, place) => place % 2 === half);
  const started = performance.now();
  for (let n = 0; n < (ACTS_A_SECOND * SECONDS) / 2; n++) {
    const dueMs = started + (n * 2_000) / ACTS_A_SECOND;
    if (dueMs > performance.now()) await delay(dueMs - performance.now());
    const isPause = Math.floor(n / agents.length) % 2 === 0;
    const id = agents[n % agents.length] ?? "";
    await runAgentCommand(service.deps, COMMAND_LINE, id, isPause ? "pause" : "resume", null);
  }
}

/** The id of an event has the time of its act. */
function listDelays(receiver: WebhookReceiver): number[] {
  return receiver.received().map(({ atMs, json }) => atMs - decodeTime(json.data.id));
}
