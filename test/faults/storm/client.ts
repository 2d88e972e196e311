import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type HttpReply, type HttpRequest, send } from "../../support/http-agent.ts";
import { pick } from "./faults.ts";

/** Nothing may hang: the service itself gives up after 30 seconds. */
const ANSWERED_WITHIN_MS = 120_000;
const SETTLED_WITHIN_MS = 120_000;
const TRY_AGAIN_AFTER_MS = 100;
const ULID = /\b[0-9A-HJKMNP-TV-Z]{26}\b/g;

/** A write that was acknowledged under its key. */
export interface Ack {
  request: HttpRequest & { key: string };
  status: number;
  text: string;
  etag: string | null;
  /** What the audit calls it. */
  action: string;
  subjectId: string;
}

/** One agent's program: what it knows, what it was told, and what it saw that must not be. */
export interface Client {
  handle: string;
  agentId: string;
  ownerId: string;
  token: string;
  urls: readonly string[];
  random: () => number;
  journal: Ack[];
  /** Writes that were told of a pause: they may have been taken before it, and no answer says so any more. */
  unsure: { key: string; action: string }[];
  refusals: Map<string, number>;
  setbacks: Map<string, number>;
  calls: number;
  slowestMs: number;
  /** Every id that any answer named. */
  seen: Set<string>;
  /** What broke a promise as it was seen. */
  broken: string[];
  /** The agent whose public works it watches. */
  watched: Client | null;
}

/** A client before it is enrolled. */
export function newClient(given: Pick<Client, "handle" | "ownerId" | "urls" | "random">): Client {
  return {
    ...given,
    ...{ agentId: "", token: "", journal: [], unsure: [], calls: 0, slowestMs: 0, broken: [], watched: null },
    ...{ refusals: new Map(), setbacks: new Map(), seen: new Set() },
  };
}

/** Sends a request once, to either API; null without an answer. */
export async function tryOnce(client: Client, request: HttpRequest, url?: string): Promise<HttpReply | null> {
  const at = url ?? pick(client.random, client.urls);
  const startMs = performance.now();
  client.calls += 1;
  const sent = { token: client.token, headers: { connection: "close" }, ...request };
  const reply = await Promise.race([
    send(at, sent).catch(() => null),
    delay(ANSWERED_WITHIN_MS, "hung" as const, { ref: false }),
  ]);
  const tookMs = performance.now() - startMs;
  client.slowestMs = Math.max(client.slowestMs, tookMs);
  if (reply === "hung") client.broken.push(`${request.method ?? "GET"} ${request.path} hung`);
  if (reply === "hung" || reply === null) return null;
  look(client, request, reply);
  return reply;
}

function look(client: Client, { method = "GET", path }: HttpRequest, reply: HttpReply): void {
  for (const id of reply.text.match(ULID) ?? []) client.seen.add(id);
  if (reply.status >= 500 && reply.status !== 503) {
    client.broken.push(`${method} ${path} answered ${reply.status}: ${reply.text.slice(0, 300)}`);
  }
  if (reply.status === 503 && reply.headers.get("retry-after") === null) {
    client.broken.push(`${method} ${path} answered 503 without Retry-After: ${reply.text.slice(0, 200)}`);
  }
}

/** Sends a request, the same again on 5xx or without an answer, until it is settled. */
export async function ask(client: Client, request: HttpRequest): Promise<HttpReply> {
  const deadline = performance.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const reply = await tryOnce(client, request);
    const isPassing = reply === null || reply.status >= 500 || reply.json?.code === "idempotency_in_progress";
    if (!isPassing) return reply;
    count(client.setbacks, reply === null ? "no answer" : `${reply.status} ${reply.json?.code}`);
    if (performance.now() > deadline) throw new Error(`${request.path} was never settled: ${reply?.text}`);
    await delay(TRY_AGAIN_AFTER_MS);
  }
}

/** A write under a key of its own; what came of it is in the journal. */
export async function write(
  client: Client,
  action: string,
  request: Omit<HttpRequest, "key"> & { key?: string },
): Promise<HttpReply> {
  const keyed = { method: "POST" as const, ...request, key: request.key ?? randomUUID() };
  const reply = await ask(client, keyed);
  settle(client, action, keyed, reply);
  return reply;
}

/** Notes the settled answer of a keyed write. */
export function settle(
  client: Client,
  action: string,
  request: HttpRequest & { key: string },
  reply: HttpReply,
): void {
  if (reply.status >= 300) {
    count(client.refusals, `${action} ${reply.json?.code}`);
    if (reply.json?.code === "agent_paused") client.unsure.push({ key: request.key, action });
    return;
  }
  const { status, text } = reply;
  const subjectId = reply.json?.data?.id ?? client.agentId;
  client.journal.push({ request, status, text, etag: reply.headers.get("etag"), action, subjectId });
}

export function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
