import type { Tx } from "../../../sql/connection/pool.ts";
import { findAgentById } from "../../../sql/identity/agents.ts";
import { lockOwner } from "../../../sql/identity/owners.ts";
import { type DeliveryRow, listDeliveries } from "../../../sql/trust/webhook-deliveries.ts";
import {
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  raiseWebhookGeneration,
  type WebhookRow,
} from "../../../sql/trust/webhooks.ts";
import { getById, notFound, refuse, refuseField } from "../../ground/errors.ts";
import { refuseName } from "../../ground/nearest-name.ts";
import { presentMembers } from "../../ground/present-members.ts";
import { toIso, toIsoOrNull } from "../../ground/times.ts";
import type { Actor } from "../../identity/audit/record-act.ts";
import { readKey } from "../../identity/credentials/key-files.ts";
import type { Deps } from "../../platform/deps.ts";
import { limitsOfOwner } from "../../platform/limits-in-force.ts";
import { OutboundError } from "../../platform/outbound/outbound-error.ts";
import { readTarget } from "../../platform/outbound/target.ts";
import { findUrlFault } from "../../requests/urls.ts";
import { EVENT_TYPES } from "../events/present-event.ts";
import { askReceiver } from "./ask-receiver.ts";
import { changeWebhook, recordWebhookAct, type Which } from "./change-webhook.ts";
import { deriveSecret, previousEndsMs } from "./secrets.ts";

/** How many deliveries of a webhook its owner sees. */
export const DELIVERIES_SHOWN = 100;

/** What an owner wants to be sent, and where. */
export interface WantedWebhook {
  ownerId: string;
  url: string;
  types: readonly string[];
  /** One agent of the owner; null for all of them. */
  agentId: string | null;
}

/** Adds a webhook and asks its receiver for consent; throws 422 on `url`, `types` or `agent`. */
export async function addWebhook(deps: Deps, actor: Actor, wanted: WantedWebhook): Promise<WebhookRow> {
  const url = readWebhookAddress(deps, wanted.url);
  const types = readWebhookTypes(wanted.types);
  const { ownerId, agentId } = wanted;
  return await deps.pool.transaction(async (tx) => {
    const owner = await lockOwner(tx, ownerId);
    if (owner === null || owner.status === "left") throw notFound("owner");
    if (owner.status === "suspended") throw ownerSuspended();
    await checkAgent(tx, ownerId, agentId);
    const most = limitsOfOwner(deps, owner).webhooksPerOwner;
    const own = await listWebhooks(tx, ownerId);
    if (own.length >= most) {
      throw refuseField("url", `${own.length} webhooks are the most here; remove one first.`);
    }
    const names = { id: deps.newId(), owner_id: ownerId, agent_id: agentId };
    const webhook = await insertWebhook(tx, { ...names, url, types, created_at: deps.now() });
    await recordWebhookAct(tx, deps, actor, webhook, "webhook.add");
    await askReceiver(tx, deps, webhook, owner);
    return webhook;
  });
}

async function checkAgent(tx: Tx, ownerId: string, agentId: string | null): Promise<void> {
  if (agentId === null) return;
  const agent = await findAgentById(tx, agentId);
  if (agent === null || agent.owner_id !== ownerId || agent.archived_at !== null) {
    throw refuseField("agent", "The agent must be one of this owner's, and not archived.");
  }
}

/** Removes a webhook: nothing more is sent, but what is under way. */
export async function removeWebhook(deps: Deps, actor: Actor, which: Which) {
  return await changeWebhook(deps, which, async (tx, webhook) => {
    await deleteWebhook(tx, webhook.id);
    await recordWebhookAct(tx, deps, actor, webhook, "webhook.remove");
    return { webhook_id: webhook.id, removed: true };
  });
}

/** Gives a webhook a new secret; the one before signs beside it for a day. */
export async function renewWebhookSecret(deps: Deps, actor: Actor, which: Which) {
  return await changeWebhook(deps, which, async (tx, webhook) => {
    await recordWebhookAct(tx, deps, actor, webhook, "webhook.renew_secret");
    return await raiseWebhookGeneration(tx, webhook.id, deps.now());
  });
}

/** A webhook with its secret, which is made again for whoever may see it, and recorded as seen. */
export async function revealWebhookSecret(deps: Deps, actor: Actor, which: Which) {
  const webhook = await changeWebhook(deps, which, async (tx, found) => {
    await recordWebhookAct(tx, deps, actor, found, "webhook.show_secret");
    return found;
  });
  return { webhook: presentWebhook(webhook, deps.now()), secret: await readWebhookSecret(deps, webhook) };
}

/** The present secret of a webhook. */
export async function readWebhookSecret(deps: Deps, { id, generation }: WebhookRow): Promise<string> {
  return deriveSecret(await readKey(deps.config, "webhook"), id, generation);
}

/** A webhook of this owner, null for any, with its latest deliveries; throws `not_found` for another owner's. */
export async function showWebhook(deps: Deps, ownerId: string | null, id: string) {
  const webhook = await getById("webhook", id, (ulid) => findWebhook(deps.pool, ulid));
  if (webhook.owner_id !== (ownerId ?? webhook.owner_id)) throw notFound("webhook");
  const deliveries = await listDeliveries(deps.pool, webhook.id, DELIVERIES_SHOWN);
  return { ...presentWebhook(webhook, deps.now()), deliveries: deliveries.map(presentDelivery) };
}

/** The webhooks of an owner, or of every owner where none is named. */
export async function presentWebhooks(deps: Deps, ownerId: string | null) {
  const nowMs = deps.now();
  return (await listWebhooks(deps.pool, ownerId)).map((row) => presentWebhook(row, nowMs));
}

/** A webhook without its secret. */
export function presentWebhook(row: WebhookRow, nowMs: number) {
  return {
    ...presentMembers(row, "id", "owner_id", "url", "types", "agent_id", "agent_handle", "status"),
    reason: row.status_reason,
    status_at: toIso(row.status_at),
    failing_since: toIsoOrNull(row.failing_since),
    previous_secret_ends_at: toIsoOrNull(previousEndsMs(row, nowMs)),
    created_at: toIso(row.created_at),
  };
}

function presentDelivery(row: DeliveryRow) {
  return {
    ...presentMembers(row, "message_id", "type", "state", "tries", "status", "failure"),
    made_at: toIso(row.created_at),
    tried_at: toIsoOrNull(row.tried_at),
    next_at: row.state === "waiting" ? toIso(row.due_at) : null,
  };
}

function ownerSuspended() {
  return refuse("owner_suspended", "This account is suspended.", "An operator can lift the suspension.");
}

/** The types of events that are wanted, each once and in their order; throws 422 on `types`. */
function readWebhookTypes(given: readonly string[]): string[] {
  const unknown = given.filter((name) => !EVENT_TYPES.some((type) => type === name));
  if (unknown.length > 0) {
    const [name = ""] = unknown;
    throw refuseField("types", refuseName(name, { kind: "type", taker: "webhook" }, EVENT_TYPES));
  }
  const types = EVENT_TYPES.filter((type) => given.includes(type));
  if (types.length === 0) throw refuseField("types", "Choose at least one type of events.");
  return types;
}

export const MOST_URL_CHARACTERS = 2_048;

/** The address of a receiver; throws 422 on `url` unless the service may ever speak to it. */
export function readWebhookAddress(
  { outboundNetwork }: Pick<Deps, "outboundNetwork">,
  given: string,
): string {
  const url = given.trim();
  if (url === "") throw refuseAddress("is needed");
  if (url.length > MOST_URL_CHARACTERS) throw refuseAddress(`has at most ${MOST_URL_CHARACTERS} characters`);
  try {
    if (readTarget(outboundNetwork.allowed, { purpose: "webhook", url }).isAllowed) return url;
  } catch (error) {
    if (error instanceof OutboundError) throw refuseField("url", error.message);
    throw error;
  }
  const fault = findUrlFault(url, null);
  if (fault !== null) throw refuseAddress(fault);
  return url;
}

function refuseAddress(rule: string) {
  return refuseField("url", `The address ${rule}.`);
}
