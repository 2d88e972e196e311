import { z } from "zod";
import { Refusal } from "../../shared/ground/errors.ts";
import { readWebhookAddress } from "../../shared/trust/webhooks/own-webhooks.ts";
import { MOST_SUBSCRIPTIONS, subscribe, unsubscribe } from "../../shared/trust/webhooks/subscriptions.ts";
import type { CallScope } from "./callers.ts";
import { admit, checkNamed, readAsked, readParams, readPlace } from "./events.ts";
import { type Params, RPC, RpcError } from "./messages.ts";
import type { Method } from "./methods.ts";

const Delivery = z.looseObject({ mode: z.string().default("webhook"), url: z.string() });
const Unwanted = z.looseObject({ delivery: Delivery });
const MS = z.int().min(0).nullish();
const Wanted = z.looseObject({
  delivery: Delivery.extend({ secret: z.string() }),
  cursor: z.string().nullish(),
  ...{ maxAgeMs: MS, ttlMs: MS },
});

/** The methods by which a client has events sent to a receiver of its own (SEP-3415). */
export const SUBSCRIPTION_METHODS: readonly [string, Method][] = [
  ["events/subscribe", addSubscription],
  ["events/unsubscribe", endSubscription],
];

async function addSubscription(scope: CallScope, params: Params): Promise<string> {
  const { name: type, args } = readAsked(params);
  const { delivery, cursor, maxAgeMs, ttlMs } = readParams(Wanted, params);
  if (delivery.mode !== "webhook") {
    const data = { feature: "deliveryMode", value: delivery.mode };
    throw new RpcError(RPC.unsupported, "Events are sent to webhooks only.", { data });
  }
  const { deps } = scope.context;
  const after = cursor === null || cursor === undefined ? null : readPlace(cursor);
  const secret = readSecret(delivery.secret);
  const caller = await admit(scope, "write");
  await checkNamed(deps, caller.agent.id, args);
  const url = readUrl(() => readWebhookAddress(deps, delivery.url));
  const told = await refuseAsClient(scope, () =>
    subscribe(deps, caller, { type, args, url, secret, after, maxAgeMs, ttlMs }),
  );
  if (!("failed" in told)) return JSON.stringify(told);
  const reason = toReason(told.failed);
  const message = "The receiver did not answer with the challenge within ten seconds.";
  throw new RpcError(RPC.callback, message, { data: { reason } });
}

async function endSubscription(scope: CallScope, params: Params): Promise<string> {
  const { name: type, args } = readAsked(params);
  const { url } = readParams(Unwanted, params).delivery;
  // A paused agent may end what it has.
  const caller = await admit(scope, "read");
  if (await unsubscribe(scope.context.deps, caller, { type, args, url: url.trim() })) return "{}";
  throw new RpcError(RPC.notFound, "There is no such subscription.", { data: { kind: "subscription" } });
}

/** A secret of Standard Webhooks of 24 to 64 bytes. */
function readSecret(secret: string): string {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1] ?? "";
  const { length } = Buffer.from(encoded, "base64");
  if (length >= 24 && length <= 64) return secret;
  const rule = "The delivery.secret must be whsec_ and 24 to 64 random bytes in base64.";
  throw new RpcError(RPC.invalidParams, rule);
}

function readUrl(read: () => string): string {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const [[sentence = error.message] = []] = Object.values(error.errors);
    throw new RpcError(RPC.invalidParams, `delivery.url: ${sentence}`);
  }
}

async function refuseAsClient<Told>({ reply }: CallScope, run: () => Promise<Told>): Promise<Told> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message, retryAfterSeconds } = error;
    if (retryAfterSeconds !== null) reply.header("retry-after", String(retryAfterSeconds));
    if (code !== "quota_exhausted" && code !== "rate_limited")
      throw new RpcError(RPC.forbidden, message, { data: { reason: code } });
    const subscriptions = { limit: "subscriptions", max: MOST_SUBSCRIPTIONS };
    const data = code === "quota_exhausted" ? subscriptions : { limit: "questions an hour" };
    throw new RpcError(RPC.exhausted, message, { data });
  }
}

const REASONS: Partial<Record<string, string>> = {
  status: "challenge_failed",
  no_consent: "challenge_failed",
  too_large: "challenge_failed",
  broken_answer: "challenge_failed",
  timed_out: "timeout",
  stopped: "timeout",
  tls_failed: "tls_error",
};

/** Why there is no consent, in the few words of the extension: nothing of the answer itself. */
function toReason({ failure, status }: { failure: string | null; status: number | null }): string {
  if (status !== null && status >= 400) return status >= 500 ? "http_5xx" : "http_4xx";
  return REASONS[failure ?? ""] ?? "connection_refused";
}
