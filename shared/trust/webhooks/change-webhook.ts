import type { Tx } from "../../../sql/connection/pool.ts";
import { lockOwner, type OwnerRow } from "../../../sql/identity/owners.ts";
import { findWebhook, lockWebhook, type WebhookRow } from "../../../sql/trust/webhooks.ts";
import { getById, notFound } from "../../ground/errors.ts";
import { type Actor, recordAct } from "../../identity/audit/record-act.ts";
import type { Deps } from "../../platform/deps.ts";

/** A webhook of an owner, or of any owner where none is named. */
export interface Which {
  ownerId: string | null;
  id: string;
}

/**
 * Changes a webhook of an owner, of any owner where none is named, with both rows locked; throws `not_found` where
 * there is none.
 */
export async function changeWebhook<Result>(
  deps: Deps,
  { ownerId, id }: Which,
  change: (tx: Tx, webhook: WebhookRow, owner: OwnerRow) => Promise<Result>,
): Promise<Result> {
  return await deps.pool.transaction(async (tx) => {
    const known = await getById("webhook", id, (ulid) => findWebhook(tx, ulid));
    if (ownerId !== null && known.owner_id !== ownerId) throw notFound("webhook");
    // The end of an account locks its owner first, too.
    const owner = await lockOwner(tx, known.owner_id);
    const webhook = await lockWebhook(tx, known.id);
    if (webhook === null || owner === null) throw notFound("webhook");
    return await change(tx, webhook, owner);
  });
}

/** Records an act on a webhook; of its address only the host, as a path may hold a secret. */
export async function recordWebhookAct(
  tx: Tx,
  deps: Deps,
  actor: Actor,
  { id, owner_id, agent_id, url }: WebhookRow,
  action: string,
): Promise<void> {
  const detail = { webhook_id: id, host: new URL(url).host };
  const act = { action, subjectKind: "owner", subjectId: owner_id, agentId: agent_id, detail };
  await recordAct(tx, actor, act, deps.now());
}
