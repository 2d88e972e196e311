import { z } from "zod";
import { at, atOrNull, Count, command, type Db, sql, Timestamp, type Tx, texts } from "../connection/pool.ts";
import { revokeTokens } from "./tokens.ts";

/** How long a code can be exchanged, and a connection waits for that. */
export const CODE_MS = 60_000;

/** Who ended a connection. */
export type GrantEnder = "owner" | "client" | "command" | "service";

export const GrantRow = z.strictObject({
  id: z.string(),
  agent_id: z.string(),
  client_id: z.string(),
  client_name: z.string(),
  client_host: z.string().nullable(),
  redirect_host: z.string(),
  abilities: z.array(z.string()),
  created_at: Timestamp,
  connected_at: Timestamp.nullable(),
  refreshed_at: Timestamp.nullable(),
  expires_at: Timestamp.nullable(),
});
/** A connection: what an owner lets a client do as an agent. */
export type GrantRow = z.infer<typeof GrantRow>;

const columns = sql.fragment`
  g.id, g.agent_id, g.client_id, g.client_name, g.client_host, g.redirect_host, g.abilities, g.created_at,
  g.connected_at, g.refreshed_at, g.expires_at`;

/** The condition of a connection that works at a time; one without tokens works as long as its code does. */
export function isLiveGrant(nowMs: number) {
  return sql.fragment`(g.ended_at IS NULL AND (g.expires_at IS NULL OR g.expires_at > ${at(nowMs)})
    AND (g.connected_at IS NOT NULL OR g.created_at > ${at(nowMs - CODE_MS)}))`;
}

/** Adds a connection, which has no token before its code is exchanged. */
export async function insertGrant(tx: Tx, grant: Omit<GrantRow, "connected_at" | "refreshed_at">) {
  await tx.query(command`
    INSERT INTO oauth_grants (id, agent_id, client_id, client_name, client_host, redirect_host, abilities, created_at,
      expires_at)
    VALUES (${grant.id}, ${grant.agent_id}, ${grant.client_id}, ${grant.client_name}, ${grant.client_host},
      ${grant.redirect_host}, ${texts(grant.abilities)}, ${at(grant.created_at)}, ${atOrNull(grant.expires_at)})`);
}

/** A connection that works now. */
export async function findLiveGrant(db: Db, id: string, nowMs: number): Promise<GrantRow | null> {
  return await db.maybeOne(sql.type(GrantRow)`
    SELECT ${columns} FROM oauth_grants g WHERE g.id = ${id} AND ${isLiveGrant(nowMs)}`);
}

/** How many connections of an agent work. The caller holds the agent's lock where the count decides. */
export async function countLiveGrants(db: Db, agentId: string, nowMs: number): Promise<number> {
  return await db.oneFirst(sql.type(Count)`
    SELECT count(*) FROM oauth_grants g WHERE g.agent_id = ${agentId} AND ${isLiveGrant(nowMs)}`);
}

const ListedGrantRow = GrantRow.extend({ last_used_at: Timestamp.nullable() });
/** A connection with the time of its last call. */
export type ListedGrantRow = z.infer<typeof ListedGrantRow>;

const lastUse = sql.fragment`
  GREATEST(g.refreshed_at, (SELECT max(k.last_used_at) FROM tokens t JOIN token_contacts k ON k.token_id = t.id
    WHERE t.grant_id = g.id)) AS last_used_at`;

/** The connections of an agent that work, newest first. */
export async function listLiveGrants(db: Db, agentId: string, nowMs: number) {
  return await db.any(sql.type(ListedGrantRow)`
    SELECT ${columns}, ${lastUse} FROM oauth_grants g
    WHERE g.agent_id = ${agentId} AND ${isLiveGrant(nowMs)} ORDER BY g.created_at DESC, g.id DESC`);
}

const EveryGrantRow = ListedGrantRow.extend({
  ended_at: Timestamp.nullable(),
  ended_by: z.string().nullable(),
});
/** A connection that may have ended. */
export type EveryGrantRow = z.infer<typeof EveryGrantRow>;

/** Every connection of an agent that is still on record, oldest first. */
export async function listGrantsOf(db: Db, agentId: string): Promise<readonly EveryGrantRow[]> {
  return await db.any(sql.type(EveryGrantRow)`
    SELECT ${columns}, ${lastUse}, g.ended_at, g.ended_by FROM oauth_grants g
    WHERE g.agent_id = ${agentId} ORDER BY g.created_at, g.id`);
}

/** Notes that the client has its first tokens, or that it renewed them. */
export async function markGrant(tx: Tx, id: string, mark: "connected_at" | "refreshed_at", nowMs: number) {
  await tx.query(command`UPDATE oauth_grants SET ${sql.identifier([mark])} = ${at(nowMs)} WHERE id = ${id}`);
}

/**
 * Ends a connection with all that came of it: its tokens are revoked, its code and refresh tokens are gone. Returns it
 * with the prefixes of tokens that were valid, null where it had ended. The caller holds the agent's lock.
 */
export async function endGrantRow(tx: Tx, id: string, by: GrantEnder, nowMs: number) {
  const grant = await tx.maybeOne(sql.type(GrantRow)`
    UPDATE oauth_grants g SET ended_at = ${at(nowMs)}, ended_by = ${by}
    WHERE g.id = ${id} AND g.ended_at IS NULL RETURNING ${columns}`);
  if (grant === null) return null;
  const prefixes = await revokeTokens(tx, grant.agent_id, { grantId: id }, nowMs);
  await tx.query(command`DELETE FROM oauth_codes WHERE grant_id = ${id}`);
  await tx.query(command`DELETE FROM oauth_refresh_tokens WHERE grant_id = ${id}`);
  return { ...grant, prefixes };
}

/** A connection that has just ended, with the prefixes of its tokens that were valid. */
export type EndedGrant = GrantRow & { prefixes: readonly string[] };

/** Ends every connection of these agents with all secrets. The caller revokes the tokens and holds the locks. */
export async function endGrantsOfAgents(tx: Tx, agentIds: readonly string[], nowMs: number): Promise<void> {
  const own = sql.fragment`SELECT id FROM oauth_grants WHERE agent_id = ANY(${texts(agentIds)})`;
  await tx.query(command`DELETE FROM oauth_codes WHERE grant_id IN (${own})`);
  await tx.query(command`DELETE FROM oauth_refresh_tokens WHERE grant_id IN (${own})`);
  await tx.query(command`
    UPDATE oauth_grants SET ended_at = ${at(nowMs)}, ended_by = 'owner'
    WHERE agent_id = ANY(${texts(agentIds)}) AND ended_at IS NULL`);
}

export const ClientRow = z.strictObject({
  id: z.string(),
  kind: z.enum(["document", "registered", "operator"]),
  name: z.string(),
  redirect_uris: z.array(z.string()),
  created_at: Timestamp,
  /** When its document is read again; null where it has none. */
  fresh_until: Timestamp.nullable(),
});
/** A program that may ask owners for access. */
export type ClientRow = z.infer<typeof ClientRow>;

const clientColumns = sql.fragment`id, kind, name, redirect_uris, created_at, fresh_until`;

/** Saves a client, or what its document says by now. */
export async function saveClient(db: Db, client: ClientRow): Promise<ClientRow> {
  return await db.one(sql.type(ClientRow)`
    INSERT INTO oauth_clients (id, kind, name, redirect_uris, created_at, fresh_until)
    VALUES (${client.id}, ${client.kind}, ${client.name}, ${texts(client.redirect_uris)},
      ${at(client.created_at)}, ${atOrNull(client.fresh_until)})
    ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name, redirect_uris = EXCLUDED.redirect_uris,
      fresh_until = EXCLUDED.fresh_until
    RETURNING ${clientColumns}`);
}

/** A client by its id. */
export async function findClient(db: Db, id: string): Promise<ClientRow | null> {
  return await db.maybeOne(sql.type(ClientRow)`SELECT ${clientColumns} FROM oauth_clients WHERE id = ${id}`);
}

/** Notes that an owner connected a client, which is kept from now on. */
export async function touchClient(tx: Tx, id: string, nowMs: number): Promise<void> {
  await tx.query(command`UPDATE oauth_clients SET consented_at = ${at(nowMs)} WHERE id = ${id}`);
}

/** The abilities of all tokens and connections of an agent together. */
export async function listTokenAbilities(db: Db, agentId: string, nowMs: number): Promise<readonly string[]> {
  return await db.anyFirst(sql.type(z.strictObject({ ability: z.string() }))`
    SELECT unnest(abilities) AS ability FROM tokens
    WHERE agent_id = ${agentId} AND grant_id IS NULL AND revoked_at IS NULL
    UNION SELECT unnest(g.abilities) FROM oauth_grants g
    WHERE g.agent_id = ${agentId} AND ${isLiveGrant(nowMs)} ORDER BY ability`);
}
