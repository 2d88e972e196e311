import { randomBytes, timingSafeEqual } from "node:crypto";
import type { ClaimedDelivery } from "../../../sql/trust/webhook-claims.ts";
import { VERIFY_TYPE } from "../../../sql/trust/webhook-deliveries.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, toIso } from "../../ground/times.ts";
import { readKey } from "../../identity/credentials/key-files.ts";
import type { Deps } from "../../platform/deps.ts";
import { OutboundError } from "../../platform/outbound/outbound-error.ts";
import { type OutboundAnswer, sendRequest } from "../../platform/outbound/send-request.ts";
import { BOTH_SIGN_MS, listSecrets, openSecret, signBody } from "./secrets.ts";

/** How long a try may take. */
export const TRY_MS = 15_000;
/** How long a client waits while its receiver is asked. */
const CHALLENGE_MS = 10_000;
const CHALLENGE_BYTES = 32;
/** A longer answer to the question for consent holds more than the challenge. */
const MOST_CONSENT_BYTES = 4_096;

/** What came of a try; `failure` is null where it is done, and a reason that few and known texts name otherwise. */
export interface Outcome {
  status: number | null;
  failure: string | null;
  retryAfterMs: number | null;
  /** Where the name of the receiver leads. */
  addresses: readonly string[];
  /** Whether the first of these addresses took no connection, or no handshake of TLS. */
  isUnreached: boolean;
}

/** The outcome of what is not sent at all. */
export function unsent(failure: "closed" | "forgotten"): Outcome {
  return { status: null, failure, retryAfterMs: null, addresses: [], isUnreached: false };
}

/** The body of a delivery: its type, its time and its data; to a subscription, an event in the form of the extension. */
export type Message = object;

/** Whom something is sent to, and with what it is signed. */
type Receiver = Pick<
  ClaimedDelivery,
  "webhook_id" | "url" | "generation" | "renewed_at" | "subscription" | "sealed_secret" | "sealed_before"
>;

/** What a receiver has beside its secret and its address that nothing is kept of. */
const NOTHING_KEPT = { webhook_id: "", generation: 1, renewed_at: null, sealed_before: null };

/** Sends the receiver of a subscription a message that is no event, once. */
export async function sendNotice(
  deps: Deps,
  { url, subscription, sealed_secret }: Pick<Receiver, "url" | "subscription" | "sealed_secret">,
  message: { type: string; error: object },
  signal: AbortSignal,
): Promise<Outcome> {
  const message_id = `msg_${message.type}_${randomBytes(12).toString("base64url")}`;
  return await sendMessage(
    deps,
    { ...NOTHING_KEPT, url, subscription, sealed_secret, message_id },
    message,
    signal,
  );
}

/** Asks the receiver of a new subscription, while its client waits. */
export async function challengeReceiver(
  deps: Deps,
  wanted: Pick<Receiver, "url" | "subscription" | "sealed_secret">,
): Promise<Outcome> {
  const question = { ...NOTHING_KEPT, ...wanted, message_id: "", created_at: deps.now() };
  return await askForConsent(deps, question, AbortSignal.timeout(CHALLENGE_MS));
}

/** Sends a message, signed for this try. */
export async function sendMessage(
  deps: Deps,
  delivery: Receiver & Pick<ClaimedDelivery, "message_id">,
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
  delivery: Receiver & Pick<ClaimedDelivery, "message_id" | "created_at">,
  signal: AbortSignal,
): Promise<Outcome> {
  const challenge = randomBytes(CHALLENGE_BYTES).toString("base64url");
  const isOfClient = delivery.subscription !== null;
  const message = isOfClient
    ? { type: "verification", challenge }
    : { type: VERIFY_TYPE, timestamp: toIso(delivery.created_at), data: { challenge } };
  const message_id = isOfClient ? `msg_verification_${challenge.slice(0, 16)}` : delivery.message_id;
  try {
    const answer = await post(
      deps,
      { ...delivery, message_id },
      { message, signal, mostBytes: MOST_CONSENT_BYTES },
    );
    const outcome = judge(deps, answer);
    const consents = outcome.failure !== null || holdsChallenge(answer.body.toString("utf8"), challenge);
    return consents ? outcome : { ...outcome, failure: "no_consent" };
  } catch (error) {
    return toOutcome(error);
  }
}

async function post(
  deps: Deps,
  delivery: Receiver & Pick<ClaimedDelivery, "message_id">,
  { message, signal, mostBytes }: { message: Message; signal: AbortSignal; mostBytes: number },
): Promise<OutboundAnswer> {
  const nowMs = deps.now();
  const { subscription } = delivery;
  const secrets = secretsOf(await readKey(deps.config, "webhook"), delivery, nowMs);
  const body = JSON.stringify(message);
  const timestampSeconds = Math.floor(nowMs / 1000);
  return await sendRequest(deps.outboundNetwork, {
    purpose: "webhook",
    url: delivery.url,
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...signBody(secrets, { id: delivery.message_id, timestampSeconds, body }),
      ...(subscription !== null && { "x-mcp-subscription-id": subscription }),
    },
    body,
    ...{ timeoutMs: TRY_MS, mostBytes, signal },
  });
}

/** What signs: what follows from the key of the service, or what a client gave; nothing where that cannot be opened. */
function secretsOf(key: Buffer, receiver: Receiver, nowMs: number): readonly string[] {
  const { webhook_id: id, generation, renewed_at, subscription, sealed_secret, sealed_before } = receiver;
  if (subscription === null) return listSecrets(key, { id, generation, renewed_at }, nowMs);
  const hasTwo = renewed_at !== null && nowMs < renewed_at + BOTH_SIGN_MS;
  return [sealed_secret, hasTwo ? sealed_before : null].flatMap((sealed) =>
    sealed === null ? [] : (openSecret(key, subscription, sealed) ?? []),
  );
}

function judge(deps: Deps, { status, headers, addresses }: OutboundAnswer): Outcome {
  const answered = { status, addresses, isUnreached: false };
  if (status >= 200 && status < 300) return { ...answered, failure: null, retryAfterMs: null };
  const retryAfterMs = readRetryAfter(headers["retry-after"], deps.now());
  return { ...answered, failure: "status", retryAfterMs };
}

function toOutcome(error: unknown): Outcome {
  if (!(error instanceof OutboundError)) throw error;
  const { addresses, isConnected } = error.reached;
  const isUnreached = addresses.length > 0 && !isConnected;
  return { status: null, failure: error.failure, retryAfterMs: null, addresses, isUnreached };
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

/** The pauses before each try, counted from the end of the try before it; the first is sent at once. */
export const PAUSES_MS: readonly number[] = [
  ...[0, 5_000, 5 * MINUTE_MS, 30 * MINUTE_MS],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];
/** Nobody is asked for consent again and again. */
const TRIES_FOR_CONSENT = 4;
/** Receivers that were away together do not come back together. */
const SPREAD = 0.1;
const LONGEST_WISH_MS = DAY_MS;
const BUSY = new Set([429, 503]);

/** When a try that failed is repeated; null after the last one. `fraction` is random, from 0 to under 1. */
export function planNextTry(of: {
  tries: number;
  isConsent: boolean;
  nowMs: number;
  retryAfterMs: number | null;
  fraction: number;
}): number | null {
  const most = of.isConsent ? TRIES_FOR_CONSENT : PAUSES_MS.length;
  const pauseMs = of.tries < most ? PAUSES_MS[of.tries] : undefined;
  if (pauseMs === undefined) return null;
  const spreadMs = Math.round(pauseMs * (1 - SPREAD + 2 * SPREAD * of.fraction));
  return of.nowMs + Math.max(spreadMs, of.retryAfterMs ?? 0);
}

/** For how long a receiver asked us to wait, a day at most; null where it did not say so. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  const ms = /^\d{1,10}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return ms > 0 ? Math.min(ms, LONGEST_WISH_MS) : null;
}

/** Failures in a row after which a webhook is sent one delivery at a time. */
export const FAILURES_TO_SLOW = 3;
const FIRST_REST_MS = 10_000;
const LONGEST_REST_MS = HOUR_MS;

/**
 * Until when nothing at all is sent to a receiver that said it is busy, or that failed again and again: each further
 * failure in a row doubles the pause.
 */
export function planRest(
  { status, retryAfterMs }: Pick<Outcome, "status" | "retryAfterMs">,
  failures: number,
  nowMs: number,
): number | null {
  const wishMs = status !== null && BUSY.has(status) ? (retryAfterMs ?? 0) : 0;
  const isSlow = failures >= FAILURES_TO_SLOW;
  const ownMs = isSlow ? Math.min(FIRST_REST_MS * 2 ** (failures - FAILURES_TO_SLOW), LONGEST_REST_MS) : 0;
  const restMs = Math.max(wishMs, ownMs);
  return restMs === 0 ? null : nowMs + restMs;
}
