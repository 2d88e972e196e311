import { z } from "zod";
import { command, type Db, sql, type Tx } from "../connection/pool.ts";

/**
 * The name of an agent's live profile, else of its draft, what its texts take, and what it has used of its limits on a
 * UTC day.
 */
export const NamedCounts = {
  display_name: z.string().nullable(),
  publications: z.number(),
  updates: z.number(),
  text_bytes: z.number(),
};
const NamedCountRow = z.strictObject(NamedCounts);

/** The columns of these of an agent `a`, and what a statement joins to it for them. */
export const namedCounts = {
  columns: sql.fragment`
    p.profile ->> 'display_name' AS display_name, coalesce(d.publications, 0) AS publications,
    coalesce(d.updates, 0) AS updates,
    (SELECT coalesce(sum(u.bytes), 0)::bigint FROM text_uses u WHERE u.agent_id = a.id) AS text_bytes`,
  from: (day: string) => sql.fragment`
    LEFT JOIN profile_revisions p ON p.id = coalesce(a.live_profile_id, a.latest_profile_id)
    LEFT JOIN daily_counts d ON d.agent_id = a.id AND d.day = ${day}::date`,
};

/** What an agent has used of its limits on a UTC day. */
export type CountRow = Pick<z.infer<typeof NamedCountRow>, "publications" | "updates">;

/**
 * What an agent has used of its limits on a UTC day (`YYYY-MM-DD`), what its texts take, and the name of its live
 * profile, else of its draft; null without one.
 */
export async function findNameAndCounts(db: Db, agentId: string, day: string) {
  return await db.one(sql.type(NamedCountRow)`
    SELECT ${namedCounts.columns} FROM agents a ${namedCounts.from(day)} WHERE a.id = ${agentId}`);
}

/** A place within an agent's limit of a UTC day. */
export interface DailyPlace {
  agentId: string;
  day: string;
  kind: keyof CountRow;
  limit: number;
}

/** Counts one more of a kind; false where the limit is reached. */
export async function takePlaceOfDay(tx: Tx, { agentId, day, kind, limit }: DailyPlace): Promise<boolean> {
  const column = sql.identifier([kind]);
  const { rowCount } = await tx.query(command`
    INSERT INTO daily_counts AS d (agent_id, day, ${column}) SELECT ${agentId}, ${day}::date, 1 WHERE ${limit}::bigint > 0
    ON CONFLICT (agent_id, day) DO UPDATE SET ${column} = d.${column} + 1 WHERE d.${column} < ${limit}::bigint`);
  return rowCount > 0;
}

/** What a write of an agent keeps on a UTC day beside texts and files. */
export interface KeptBytes {
  agentId: string;
  day: string;
  bytes: number;
}

/** The statement that counts it, and what all agents of the owner kept on the day before that. */
export function countKept({ agentId, day, bytes }: KeptBytes) {
  const insert = sql.fragment`
    INSERT INTO daily_counts AS d (agent_id, day, kept_bytes) VALUES (${agentId}, ${day}::date, ${bytes}::bigint)
    ON CONFLICT (agent_id, day) DO UPDATE SET kept_bytes = d.kept_bytes + EXCLUDED.kept_bytes`;
  return { insert, before: keptOn(agentId, day) };
}

function keptOn(agentId: string, day: string) {
  return sql.fragment`(
    SELECT coalesce(sum(d.kept_bytes), 0)::bigint FROM agents o JOIN agents a ON a.owner_id = o.owner_id
      JOIN daily_counts d ON d.agent_id = a.id AND d.day = ${day}::date WHERE o.id = ${agentId})`;
}

/** What all agents of the owner of an agent have kept on a UTC day beside texts and files. */
export async function findKept(db: Db, agentId: string, day: string): Promise<number> {
  return await db.oneFirst(sql.type(z.strictObject({ bytes: z.number() }))`
    SELECT ${keptOn(agentId, day)} AS bytes`);
}
