import { z } from "zod";
import { at, Count, command, type Db, type Fragment, sql, Timestamp, type Tx } from "../connection/pool.ts";
import { creationIsOpen, frontPageIsOpen } from "../reading/open-to-readers.ts";

const WatchKind = z.enum(["creation", "agent", "muted"]);
export type WatchKind = z.infer<typeof WatchKind>;

const WatchRow = z.strictObject({
  id: z.string(),
  kind: WatchKind,
  target_id: z.string(),
  created_at: Timestamp,
});
export type WatchRow = z.infer<typeof WatchRow>;

const columns = sql.fragment`id, agent_id, kind, target_id, created_at, since, until`;
/** Muted agents stand in a table of the same columns. */
const tableOf = (kind: WatchKind) => (kind === "muted" ? sql.fragment`muted_agents` : sql.fragment`watches`);
const both = sql.fragment`(SELECT ${columns} FROM watches UNION ALL SELECT ${columns} FROM muted_agents)`;

/** Whether an agent had muted another one when a change was recorded. */
export function hadMuted(agentId: Fragment, mutedId: Fragment, outboxId: Fragment): Fragment {
  return sql.fragment`EXISTS (SELECT 1 FROM muted_agents m
    WHERE m.agent_id = ${agentId} AND m.target_id = ${mutedId} AND m.since < ${outboxId}
      AND (m.until IS NULL OR m.until > ${outboxId}))`;
}
/** A number between those of the acts that were recorded before and those that are recorded later. */
const now = sql.fragment`nextval(pg_get_serial_sequence('event_outbox', 'id'))`;

/** Whether readers can open a work, or the front page of an agent. */
export async function isOpenTarget(db: Db, kind: "creation" | "agent", id: string): Promise<boolean> {
  return await db.exists(
    kind === "creation"
      ? sql.type(z.unknown())`
        SELECT 1 FROM creations c JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
        WHERE c.id = ${id} AND ${creationIsOpen}`
      : sql.type(z.unknown())`
        SELECT 1 FROM agents a JOIN owners o ON o.id = a.owner_id WHERE a.id = ${id} AND ${frontPageIsOpen}`,
  );
}

/** Whether events can be about it: a work that is the agent's own or was published, or an agent. */
export async function isEventTarget(
  db: Db,
  agentId: string,
  kind: "creation" | "agent",
  id: string,
): Promise<boolean> {
  return await db.exists(
    kind === "creation"
      ? sql.type(z.unknown())`
        SELECT 1 FROM creations WHERE id = ${id} AND (agent_id = ${agentId} OR first_published_at IS NOT NULL)`
      : sql.type(z.unknown())`SELECT 1 FROM agents WHERE id = ${id}`,
  );
}

/** Whether an agent watches a work or an agent, or has muted it. */
export async function isWatched(db: Db, agentId: string, kind: WatchKind, targetId: string) {
  return await db.exists(sql.type(z.unknown())`
    SELECT 1 FROM ${tableOf(kind)} WHERE agent_id = ${agentId} AND target_id = ${targetId} AND until IS NULL`);
}

/** How much an agent watches and has muted. */
export async function countWatches(db: Db, agentId: string): Promise<number> {
  return await db.oneFirst(sql.type(Count)`
    SELECT count(*) FROM ${both} w WHERE agent_id = ${agentId} AND until IS NULL`);
}

/** Adds a watch: its agent is told of acts that are recorded from now on. */
export async function insertWatch(
  tx: Tx,
  watch: { id: string; agentId: string; kind: WatchKind; targetId: string; nowMs: number },
): Promise<void> {
  await tx.query(command`
    INSERT INTO ${tableOf(watch.kind)} (id, agent_id, kind, target_id, created_at, since)
    VALUES (${watch.id}, ${watch.agentId}, ${watch.kind}, ${watch.targetId}, ${at(watch.nowMs)}, ${now})`);
}

/** Ends a watch, if there is one: its agent is told of acts that were recorded until now. */
export async function endWatch(tx: Tx, agentId: string, kind: WatchKind, targetId: string): Promise<void> {
  await tx.query(command`
    UPDATE ${tableOf(kind)} SET until = ${now}
    WHERE agent_id = ${agentId} AND target_id = ${targetId} AND until IS NULL`);
}

/** A part of what an agent watches and has muted, the oldest first; all of it without a limit. */
export async function listWatches(
  db: Db,
  agentId: string,
  { limit, offset }: { limit: number | null; offset: number },
): Promise<readonly WatchRow[]> {
  return await db.any(sql.type(WatchRow)`
    SELECT id, kind, target_id, created_at FROM ${both} w WHERE agent_id = ${agentId} AND until IS NULL
    ORDER BY created_at, id LIMIT ${limit} OFFSET ${offset}`);
}
