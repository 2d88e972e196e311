import type { Db } from "../../../sql/connection/pool.ts";
import { listDomainsOf } from "../../../sql/identity/domains.ts";
import { listInvitations } from "../../../sql/identity/invitations.ts";
import type { OwnerRow } from "../../../sql/identity/owners.ts";
import { listPasskeysOfOwner } from "../../../sql/identity/passkeys.ts";
import { listOpenSessions } from "../../../sql/identity/sign-ins.ts";
import { listWebhooks } from "../../../sql/trust/webhooks.ts";
import { toIso, toIsoOrNull } from "../../ground/times.ts";
import { DECISIONS } from "../../identity/audit/decisions.ts";
import { NO_FILTER, readAudit, writeAuditCsv, writeAuditLines } from "../../identity/owners/audit-log.ts";
import { presentSession } from "../../identity/sign-in/sessions.ts";
import { type Archive, toBytes } from "./archive.ts";

/** More than an owner sends in the time for which invitations are kept. */
const MOST_SENT = 100_000;

/**
 * Adds the account: the owner, and how and where the owner signs in. Keys and sessions appear by name only.
 */
export async function addOwner(db: Db, archive: Archive, owner: OwnerRow, nowMs: number): Promise<void> {
  const passkeys = await listPasskeysOfOwner(db, owner.id);
  const sessions = await listOpenSessions(db, owner.id, nowMs);
  const domains = await listDomainsOf(db, owner.id);
  const webhooks = await listWebhooks(db, owner.id);
  const sent = await listInvitations(db, { ownerId: owner.id }, { beforeId: null, limit: MOST_SENT, nowMs });
  await archive.addJson("owner.json", {
    id: owner.id,
    email: owner.email,
    alias: owner.alias,
    alias_is_shown: owner.show_alias,
    status: owner.status,
    moderator: owner.moderator,
    created_at: toIso(owner.created_at),
    domains: domains.map((row) => ({
      domain: row.domain,
      added_at: toIso(row.created_at),
      verified_at: toIsoOrNull(row.verified_at),
      verified_by: row.verified_by,
      shown: row.shown,
    })),
    webhooks: webhooks.map((row) => ({
      url: row.url,
      types: row.types,
      agent: row.agent_handle,
      status: row.status,
      added_at: toIso(row.created_at),
    })),
    passkeys: passkeys.map((row) => ({
      name: row.name,
      created_at: toIso(row.created_at),
      last_used_at: toIsoOrNull(row.last_used_at),
    })),
    sessions: sessions.map(presentSession),
    invitations: sent.map((row) => ({
      email: row.email,
      state: row.state,
      created_at: toIso(row.created_at),
      expires_at: toIso(row.expires_at),
      used_at: toIsoOrNull(row.used_at),
    })),
  });
}

/** Adds the audit log and the moderation decisions, as the console shows them. */
export async function addRecords(db: Db, archive: Archive, ownerId: string): Promise<void> {
  await archive.add("audit.csv", toBytes(writeAuditCsv(db, ownerId, NO_FILTER)));
  await archive.add("audit.ndjson", toBytes(writeAuditLines(db, ownerId, NO_FILTER)));
  await archive.add("decisions.ndjson", toBytes(writeDecisions(db, ownerId)));
}

async function* writeDecisions(db: Db, ownerId: string) {
  for (const actorKind of ["moderator", "command"] as const) {
    for await (const entry of readAudit(db, ownerId, { ...NO_FILTER, actorKind })) {
      if (DECISIONS.includes(entry.action)) yield `${JSON.stringify(entry)}\n`;
    }
  }
}
