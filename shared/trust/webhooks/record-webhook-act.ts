import type { Tx } from "../../../sql/connection/pool.ts";
import type { WebhookRow } from "../../../sql/trust/webhooks.ts";
import { type Actor, recordAct } from "../../identity/audit/record-act.ts";
import type { Deps } from "../../platform/deps.ts";

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
