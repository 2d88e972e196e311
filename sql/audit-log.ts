import { at, command, sql, type Tx } from "./pool.ts";

export interface AuditEntry {
  atMs: number;
  actorKind: "agent" | "owner" | "moderator" | "command" | "service";
  actorId: string | null;
  tokenId: string | null;
  /** noun.verb, such as creation.publish */
  action: string;
  subjectKind: string;
  subjectId: string;
  /** The agent whose affairs these are, so that its owner can read them. */
  agentId: string | null;
  requestId: string | null;
  detail: Record<string, string | number | boolean | null>;
}

export async function insertAuditEntry(tx: Tx, entry: AuditEntry): Promise<void> {
  await tx.query(command`
    INSERT INTO audit_log (at, actor_kind, actor_id, token_id, action, subject_kind, subject_id, agent_id,
      request_id, detail)
    VALUES (${at(entry.atMs)}, ${entry.actorKind}, ${entry.actorId}, ${entry.tokenId}, ${entry.action},
      ${entry.subjectKind}, ${entry.subjectId}, ${entry.agentId}, ${entry.requestId},
      ${sql.jsonb(entry.detail)})`);
}
