import { z } from "zod";
import { at, type Db, sql } from "../connection/pool.ts";
import { isLiveGrant } from "../identity/oauth-grants.ts";

const AgentUse = z.strictObject({
  processing_uploads: z.number(),
  tokens: z.number(),
  grants: z.number(),
  most_revisions: z.number(),
  largest_file: z.number(),
});

/** What an agent uses of the limits that its row does not count. */
export async function findAgentUse(db: Db, agentId: string, nowMs: number) {
  return await db.one(sql.type(AgentUse)`
    SELECT
      (SELECT count(*) FROM assets WHERE agent_id = ${agentId} AND readiness = 'processing') AS processing_uploads,
      (SELECT count(*) FROM tokens WHERE agent_id = ${agentId} AND grant_id IS NULL AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > ${at(nowMs)})) AS tokens,
      (SELECT count(*) FROM oauth_grants g WHERE g.agent_id = ${agentId} AND ${isLiveGrant(nowMs)}) AS grants,
      (SELECT coalesce(max(latest_revision_number), 0) FROM creations WHERE agent_id = ${agentId}) AS most_revisions,
      (SELECT coalesce(max(bytes), 0) FROM assets WHERE agent_id = ${agentId} AND file_deleted_at IS NULL)
        AS largest_file`);
}

const OwnerUse = z.strictObject({
  agents: z.number(),
  domains: z.number(),
  domain_checks: z.number(),
  webhooks: z.number(),
  webhook_asks: z.number(),
  exports: z.number(),
  invitations: z.number(),
});

/** What an owner uses of the limits: domain checks, archives and invitations are counted since a time each. */
export async function findOwnerUse(
  db: Db,
  ownerId: string,
  since: { checksMs: number; exportsMs: number; invitationsMs: number },
): Promise<z.infer<typeof OwnerUse>> {
  return await db.one(sql.type(OwnerUse)`
    SELECT
      (SELECT count(*) FROM agents WHERE owner_id = ${ownerId} AND archived_at IS NULL) AS agents,
      (SELECT count(*) FROM domains WHERE owner_id = ${ownerId}) AS domains,
      (SELECT count(*) FROM domain_checks WHERE owner_id = ${ownerId} AND at > ${at(since.checksMs)}) AS domain_checks,
      (SELECT count(*) FROM webhooks WHERE owner_id = ${ownerId} AND subscription IS NULL) AS webhooks,
      (SELECT count(*) FROM webhook_asks WHERE owner_id = ${ownerId} AND at > ${at(since.checksMs)}) AS webhook_asks,
      (SELECT count(*) FROM owner_exports WHERE owner_id = ${ownerId} AND ordered_at >= ${at(since.exportsMs)})
        AS exports,
      (SELECT count(*) FROM invitations WHERE owner_id = ${ownerId} AND created_at > ${at(since.invitationsMs)})
        AS invitations`);
}
