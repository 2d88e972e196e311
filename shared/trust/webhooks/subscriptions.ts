import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Tx } from "../../../sql/connection/pool.ts";
import { lockAgent, updateAgentState } from "../../../sql/identity/agents.ts";
import { lockOwner } from "../../../sql/identity/owners.ts";
import { holdLastPosition } from "../../../sql/trust/event-sequencing.ts";
import {
  deleteSubscriptions,
  findSubscriptionsOff,
  listSubscriptions,
  listWatermarks,
  type SubscriptionRow,
  saveSubscription,
} from "../../../sql/trust/subscriptions.ts";
import { insertEventDeliveries, listSubscribedEvents } from "../../../sql/trust/webhook-deliveries.ts";
import { getById, notFound, refuse } from "../../ground/errors.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, toIso } from "../../ground/times.ts";
import { type Actor, recordAct } from "../../identity/audit/record-act.ts";
import { readKey } from "../../identity/credentials/key-files.ts";
import { actorOf, type Caller } from "../../identity/writes/authenticate.ts";
import type { Deps } from "../../platform/deps.ts";
import type { EventArguments } from "../events/occurrences.ts";
import { type EventType, toEventId } from "../events/present-event.ts";
import { toCursor } from "../events/read-events.ts";
import { countByHand } from "./ask-receiver.ts";
import { openSecret, sealSecret } from "./secrets.ts";
import { challengeReceiver, type Outcome, sendNotice } from "./send-delivery.ts";

export const MOST_SUBSCRIPTIONS = 20;
/** How many events a new subscription may begin with. */
const MOST_REPLAYED = 1_000;
const LIVES_MS = { least: MINUTE_MS, usual: HOUR_MS, most: 7 * DAY_MS };

/** What a client asks for; `ttlMs` is null for as long as may be, and left out for the usual time. */
export interface WantedSubscription {
  type: EventType;
  args: EventArguments;
  url: string;
  secret: string;
  /** The position after which it begins; null for now. */
  after: number | null;
  maxAgeMs?: number | null | undefined;
  ttlMs?: number | null | undefined;
}

/** The handle of what an agent subscribes to: the same for the same wish. */
function toHandle(agentId: string, { url, type, args }: Pick<WantedSubscription, "url" | "type" | "args">) {
  const key = canonicalize([agentId, url, type, args]) ?? "";
  return `sub_${createHash("sha256").update(key).digest("hex").slice(0, 32)}`;
}

/**
 * Adds a subscription once its receiver has consented, or renews it. Answers with the outcome of the question where
 * there is no consent; throws `forbidden` where the owner forbids them, `quota_exhausted` where there are too many.
 */
export async function subscribe(deps: Deps, caller: Caller, wanted: WantedSubscription) {
  const { agent } = caller;
  const subscription = toHandle(agent.id, wanted);
  const known = await checkRoom(deps.pool, deps, agent.id, subscription);
  const key = await readKey(deps.config, "webhook");
  const sealed = sealSecret(key, subscription, wanted.secret);
  const isVerified = known.some(
    ({ url, status, consent_due }) => url === wanted.url && status === "active" && !consent_due,
  );
  const question = { subscription, url: wanted.url, sealed_secret: sealed };
  const asked = isVerified ? null : await askInTime(deps, agent.owner_id, question);
  if (asked !== null && asked.failure !== null) return { failed: asked };
  return await deps.pool.transaction(async (tx) => {
    await lockAgent(tx, agent.id);
    const own = await checkRoom(tx, deps, agent.id, subscription);
    const before = own.find((one) => one.subscription === subscription) ?? null;
    const last = await holdLastPosition(tx);
    const row = await save(tx, deps, caller, { wanted, subscription, sealed, before, asked, key });
    if (before === null) await recordSubscriptionAct(tx, deps, caller, row, "webhook.subscribe");
    const truncated = before === null && (await replay(tx, deps, row.id, wanted, last));
    const watermark = (await listWatermarks(tx, [row.id])).get(row.id) ?? last;
    return {
      id: subscription,
      refreshBefore: toIso(row.expires_at),
      cursor: toCursor(watermark),
      truncated,
    };
  });
}

/** Asks a receiver, which may be anybody's: of an owner only so many are asked in an hour. */
async function askInTime(deps: Deps, ownerId: string, question: Parameters<typeof challengeReceiver>[1]) {
  await deps.pool.transaction(async (tx) => {
    const owner = await lockOwner(tx, ownerId);
    if (owner !== null) await countByHand(tx, deps, owner);
  });
  return await challengeReceiver(deps, question);
}

async function checkRoom(db: Tx | Deps["pool"], deps: Deps, agentId: string, subscription: string) {
  if ((await findSubscriptionsOff(db, agentId)) !== null)
    throw refuse("forbidden", "The owner allows this agent no subscriptions.", "Ask your owner.");
  const own = await listSubscriptions(db, agentId, deps.now());
  const isNew = !own.some((one) => one.subscription === subscription);
  if (isNew && own.length >= MOST_SUBSCRIPTIONS)
    throw refuse("quota_exhausted", `An agent has ${MOST_SUBSCRIPTIONS} subscriptions at most.`, "End one.");
  return own;
}

interface Saved {
  wanted: WantedSubscription;
  subscription: string;
  sealed: string;
  before: SubscriptionRow | null;
  asked: Outcome | null;
  key: Buffer;
}

async function save(tx: Tx, deps: Deps, { agent }: Caller, saved: Saved) {
  const { wanted, subscription, sealed, before, asked, key } = saved;
  const nowMs = deps.now();
  const ttlMs = wanted.ttlMs === null ? LIVES_MS.most : (wanted.ttlMs ?? LIVES_MS.usual);
  const expires_at = nowMs + Math.min(Math.max(ttlMs, LIVES_MS.least), LIVES_MS.most);
  const isSame = before !== null && openSecret(key, subscription, before.sealed_secret) === wanted.secret;
  // One that ended and is not swept yet would keep what waited for it.
  if (before === null) await deleteSubscriptions(tx, agent.id, { subscription });
  const row = { id: before?.id ?? deps.newId(), url: wanted.url, expires_at };
  await saveSubscription(tx, {
    ...row,
    ...{ agent_id: agent.id, owner_id: agent.owner_id, type: wanted.type, arguments: wanted.args },
    ...{ subscription, sealed_secret: sealed, nowMs },
    sealed_before: before === null || isSame ? null : before.sealed_secret,
    token_id: agent.grant_id === null ? agent.token_id : null,
    grant_id: agent.grant_id,
    consented_address: asked?.addresses[0] ?? null,
  });
  return row;
}

/** Has what came since a cursor sent; returns whether something was left out. */
async function replay(
  tx: Tx,
  deps: Deps,
  webhookId: string,
  { after, maxAgeMs }: WantedSubscription,
  last: number,
): Promise<boolean> {
  if (after === null || after >= last) return false;
  const limits = deps.config.limits;
  const agesMs = [maxAgeMs ?? Number.POSITIVE_INFINITY, limits.eventDays * DAY_MS];
  const floor = Math.max(after, (deps.now() - Math.min(...agesMs)) * 1_000);
  const events = await listSubscribedEvents(tx, { afterPosition: floor, lastPosition: last, webhookId });
  const sent = events.slice(-MOST_REPLAYED);
  if (sent.length > 0) {
    await insertEventDeliveries(
      tx,
      sent.map((event) => ({ ...event, messageId: toEventId(event), agentIds: [event.agent_id] })),
    );
  }
  return floor > after || sent.length < events.length;
}

/** Ends what an agent subscribed to; false where there is no such subscription. */
export async function unsubscribe(
  deps: Deps,
  caller: Caller,
  wanted: Pick<WantedSubscription, "url" | "type" | "args">,
): Promise<boolean> {
  const { agent } = caller;
  const subscription = toHandle(agent.id, wanted);
  return await deps.pool.transaction(async (tx) => {
    if ((await deleteSubscriptions(tx, agent.id, { subscription })).length === 0) return false;
    await recordSubscriptionAct(tx, deps, caller, wanted, "webhook.unsubscribe");
    return true;
  });
}

async function recordSubscriptionAct(
  tx: Tx,
  deps: Deps,
  caller: Caller,
  { url }: { url: string },
  action: string,
): Promise<void> {
  const { id } = caller.agent;
  const act = { action, subjectKind: "agent", subjectId: id, agentId: id };
  await recordAct(tx, actorOf(caller), { ...act, detail: { host: new URL(url).host } }, deps.now());
}

/** The subscriptions of an agent as its owner sees them: what of, where to, until when. */
export async function presentSubscriptions(deps: Deps, agentId: string) {
  const [offMs, rows] = await Promise.all([
    findSubscriptionsOff(deps.pool, agentId),
    listSubscriptions(deps.pool, agentId, deps.now()),
  ]);
  const subscriptions = rows.map(({ id, types, url, created_at, expires_at }) => ({
    ...{ id, type: types.join(), host: new URL(url).host },
    ...{ created_at: toIso(created_at), expires_at: toIso(expires_at) },
  }));
  return { allowed: offMs === null, subscriptions };
}

/** An owner ends a subscription of an agent; throws `not_found`. */
export async function endSubscription(deps: Deps, actor: Actor, agentId: string, id: string): Promise<void> {
  const ended = await deps.pool.transaction(async (tx) => {
    const rows = await deleteSubscriptions(tx, agentId, { id });
    if (rows.length === 0) throw notFound("subscription");
    const act = { action: "webhook.unsubscribe", subjectKind: "agent", subjectId: agentId, agentId };
    await recordAct(tx, actor, { ...act, detail: { webhook_id: id } }, deps.now());
    return rows;
  });
  reportEnd(deps, ended);
}

/** Tells the receivers of subscriptions that an owner ended, once each: their clients would renew them. */
function reportEnd(deps: Deps, ended: readonly SubscriptionRow[]): void {
  const error = { code: -32012, message: "The owner ended this subscription.", data: { reason: "ended" } };
  for (const row of ended) {
    deps.background.begin(async (signal) => {
      const outcome = await sendNotice(deps, row, { type: "terminated", error }, signal);
      deps.log.debug({ webhook: row.id, ...outcome }, "end of a subscription told");
    });
  }
}

/** Allows an agent subscriptions, or forbids them and ends those that there are. */
export async function allowSubscriptions(deps: Deps, actor: Actor, id: string, allowed: boolean) {
  const { rows, ...told } = await deps.pool.transaction(async (tx) => {
    const agent = await getById("agent", id, (ulid) => lockAgent(tx, ulid));
    const offMs = await findSubscriptionsOff(tx, agent.id);
    await updateAgentState(tx, agent.id, "subscriptions_off_at", allowed ? null : (offMs ?? deps.now()));
    const rows = allowed ? [] : await deleteSubscriptions(tx, agent.id, "all");
    const ended = rows.length;
    const action = allowed ? "agent.allow_subscriptions" : "agent.forbid_subscriptions";
    const act = { action, subjectKind: "agent", subjectId: agent.id, agentId: agent.id };
    await recordAct(tx, actor, { ...act, detail: { ended } }, deps.now());
    return { agent_id: agent.id, subscriptions: allowed ? "on" : "off", ended, rows };
  });
  reportEnd(deps, rows);
  return told;
}
