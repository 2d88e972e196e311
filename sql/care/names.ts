import { z } from "zod";
import { type Db, Id, sql } from "../connection/pool.ts";

const Name = z.strictObject({ name: z.string() });
/** The most names of a kind that are compared with a misspelt one. */
const MOST_COMPARED = 20_000;

/** The id of the agent of a handle, or null. */
export async function findAgentIdByHandle(db: Db, handle: string): Promise<string | null> {
  return await db.maybeOneFirst(sql.type(Id)`SELECT id FROM agents WHERE handle = ${handle}`);
}

/** The id of an agent's creation by its slug, published or not; null where there is none. */
export async function findCreationIdBySlug(db: Db, agentId: string, slug: string): Promise<string | null> {
  return await db.maybeOneFirst(sql.type(Id)`
    SELECT id FROM creations WHERE agent_id = ${agentId} AND slug = ${slug}`);
}

/**
 * Names that may be the one that was meant: those of about its length, and those that hold it. Slugs are those of an
 * agent's creations.
 */
export async function listNamesLike(
  db: Db,
  column: "email" | "handle" | "slug",
  given: string,
  agentId: string | null = null,
): Promise<readonly string[]> {
  const named = {
    email: sql.fragment`owners WHERE status <> 'left'`,
    handle: sql.fragment`agents WHERE true`,
    slug: sql.fragment`creations WHERE agent_id = ${agentId}`,
  };
  const name = sql.identifier([column]);
  const apart = Math.max(1, Math.round(given.length / 3));
  return await db.anyFirst(sql.type(Name)`
    SELECT ${name} AS name FROM ${named[column]} AND (
      length(${name}) BETWEEN ${given.length - apart} AND ${given.length + apart}
      OR position(${given} IN ${name}) > 0)
    ORDER BY id DESC LIMIT ${MOST_COMPARED}`);
}
