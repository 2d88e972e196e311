import { randomBytes, timingSafeEqual } from "node:crypto";
import type { ClaimedDelivery } from "../../../sql/trust/webhook-claims.ts";
import { VERIFY_TYPE } from "../../../sql/trust/webhook-deliveries.ts";
import { toIso } from "../../ground/times.ts";
import { readKey } from "../../identity/credentials/key-files.ts";
import type { Deps } from "../../platform/deps.ts";
import { OutboundError } from "../../platform/outbound/outbound-error.ts";
import { type OutboundAnswer, sendRequest } from "../../platform/outbound/send-request.ts";
import { readRetryAfter } from "./schedule.ts";
import { listSecrets, signBody } from "./secrets.ts";

/** How long a try may take. */
export const TRY_MS = 15_000;
const CHALLENGE_BYTES = 32;
/** A longer answer to the question for consent holds more than the challenge. */
const MOST_CONSENT_BYTES = 4_096;

/** What came of a try; `failure` is null where it is done, and a reason that few and known texts name otherwise. */
export interface Outcome {
  status: number | null;
  failure: string | null;
  retryAfterMs: number | null;
}

/** The body of a delivery: its type, its time and its data. */
export interface Message {
  type: string;
  timestamp: string;
  data: unknown;
}

/** Sends a message, signed for this try. */
export async function sendMessage(
  deps: Deps,
  delivery: ClaimedDelivery,
  message: Message,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    return await judge(deps, await post(deps, delivery, { message, signal, mostBytes: 0 }));
  } catch (error) {
    return toOutcome(error);
  }
}

/** Asks a receiver whether it wants what is to come: it must send back what only the question has. */
export async function askForConsent(
  deps: Deps,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<Outcome> {
  const challenge = randomBytes(CHALLENGE_BYTES).toString("base64url");
  const message = { type: VERIFY_TYPE, timestamp: toIso(delivery.created_at), data: { challenge } };
  try {
    const answer = await post(deps, delivery, { message, signal, mostBytes: MOST_CONSENT_BYTES });
    const outcome = judge(deps, answer);
    const consents = outcome.failure !== null || holdsChallenge(answer.body.toString("utf8"), challenge);
    return consents ? outcome : { ...outcome, failure: "no_consent" };
  } catch (error) {
    return toOutcome(error);
  }
}

async function post(
  deps: Deps,
  delivery: ClaimedDelivery,
  { message, signal, mostBytes }: { message: Message; signal: AbortSignal; mostBytes: number },
): Promise<OutboundAnswer> {
  const nowMs = deps.now();
  const { webhook_id: id, generation, renewed_at } = delivery;
  const secrets = listSecrets(await readKey(deps.config, "webhook"), { id, generation, renewed_at }, nowMs);
  const body = JSON.stringify(message);
  const timestampSeconds = Math.floor(nowMs / 1000);
  return await sendRequest(deps.outboundNetwork, {
    url: delivery.url,
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...signBody(secrets, { id: delivery.message_id, timestampSeconds, body }),
    },
    body,
    ...{ timeoutMs: TRY_MS, mostBytes, signal },
  });
}

function judge(deps: Deps, { status, headers }: OutboundAnswer): Outcome {
  if (status >= 200 && status < 300) return { status, failure: null, retryAfterMs: null };
  return { status, failure: "status", retryAfterMs: readRetryAfter(headers["retry-after"], deps.now()) };
}

function toOutcome(error: unknown): Outcome {
  if (!(error instanceof OutboundError)) throw error;
  return { status: null, failure: error.failure, retryAfterMs: null };
}

/** Whether an answer is the challenge, or JSON with it. */
function holdsChallenge(answer: string, challenge: string): boolean {
  const given = Buffer.from(readChallenge(answer.trim()));
  const asked = Buffer.from(challenge);
  return given.length === asked.length && timingSafeEqual(given, asked);
}

function readChallenge(answer: string): string {
  if (!answer.startsWith("{")) return answer;
  try {
    return String(JSON.parse(answer).challenge);
  } catch {
    return "";
  }
}
