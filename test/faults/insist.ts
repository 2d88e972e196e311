import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Deps } from "../../shared/platform/deps.ts";
import { type HttpReply, type HttpRequest, send } from "../support/http-agent.ts";

export const ANSWERED_WITHIN_MS = 120_000;
export const TRY_AGAIN_AFTER_MS = 50;

/** One agent's way through the main path, and what it saw on it. */
export interface Player {
  url: string;
  deps: Deps;
  ownerId: string;
  code: string;
  handle: string;
  /** Every keyed write with the first answer that it got. */
  journal: { request: HttpRequest; reply: HttpReply }[];
  /** What came instead of an answer: nothing, or a refusal that asks to try again. */
  setbacks: string[];
}

/** Sends a request until it is answered, and demands this status. */
export async function insist(player: Player, request: HttpRequest, status: number): Promise<HttpReply> {
  const reply = await repeat(player, request);
  if (reply.status !== status) throw new Error(`${request.path} answered ${reply.status}: ${reply.text}`);
  return reply;
}

/** The same for a keyed POST, which is written down so that it can be sent again later. */
export async function insistKeyed(
  player: Player,
  write: Pick<HttpRequest, "token" | "path" | "body" | "ifMatch">,
  status: number,
): Promise<HttpReply> {
  const request: HttpRequest = { ...write, method: "POST", key: randomUUID() };
  const reply = await insist(player, request, status);
  player.journal.push({ request, reply });
  return reply;
}

/** Sends a request until an answer comes that does not ask to try again. */
export async function repeat(player: Player, request: HttpRequest): Promise<HttpReply> {
  const deadline = performance.now() + ANSWERED_WITHIN_MS;
  for (;;) {
    const reply = await send(player.url, request).catch(() => null);
    if (reply !== null && !asksToTryAgain(reply)) return reply;
    player.setbacks.push(describe(reply));
    if (performance.now() > deadline) throw new Error(`no answer to ${request.path}: ${describe(reply)}`);
    await delay(TRY_AGAIN_AFTER_MS);
  }
}

function asksToTryAgain(reply: HttpReply): boolean {
  return reply.status === 503 || reply.json?.code === "idempotency_in_progress";
}

function describe(reply: HttpReply | null): string {
  if (reply === null) return "no answer";
  return `${reply.status} ${reply.json?.code}, Retry-After ${reply.headers.get("retry-after")}`;
}

/** Calls a command until it succeeds: its database may be away. */
export async function untilDone<T>(command: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + ANSWERED_WITHIN_MS;
  for (;;) {
    try {
      return await command();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(TRY_AGAIN_AFTER_MS);
    }
  }
}
