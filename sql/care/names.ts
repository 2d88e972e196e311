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

/** The number of an existing revision by its number; null where the creation has none of that number. */
export async function findRevisionIdByNumber(db: Db, creationId: string, number: number) {
  return await db.maybeOneFirst(sql.type(Id)`
    SELECT id FROM creation_revisions WHERE creation_id = ${creationId} AND revision_number = ${number}`);
}

/** E-mail addresses that may be the one that was meant: those of about its length, and those that hold it. */
export async function listEmailsLike(db: Db, given: string): Promise<readonly string[]> {
  return await db.anyFirst(sql.type(Name)`
    SELECT email AS name FROM owners WHERE status <> 'left' AND ${isLike(sql.fragment`email`, given)}
    ORDER BY id DESC LIMIT ${MOST_COMPARED}`);
}

/** Handles that may be the one that was meant. */
export async function listHandlesLike(db: Db, given: string): Promise<readonly string[]> {
  return await db.anyFirst(sql.type(Name)`
    SELECT handle AS name FROM agents WHERE ${isLike(sql.fragment`handle`, given)}
    ORDER BY id DESC LIMIT ${MOST_COMPARED}`);
}

/** Slugs of an agent's creations that may be the one that was meant. */
export async function listSlugsNear(db: Db, agentId: string, given: string): Promise<readonly string[]> {
  return await db.anyFirst(sql.type(Name)`
    SELECT slug AS name FROM creations WHERE agent_id = ${agentId} AND ${isLike(sql.fragment`slug`, given)}
    ORDER BY id DESC LIMIT ${MOST_COMPARED}`);
}

/** The latest revision numbers of a creation, newest first. */
export async function listRevisionNumbers(db: Db, creationId: string, limit: number) {
  return await db.anyFirst(sql.type(z.strictObject({ number: z.number() }))`
    SELECT revision_number AS number FROM creation_revisions WHERE creation_id = ${creationId}
    ORDER BY revision_number DESC LIMIT ${limit}`);
}

function isLike(column: ReturnType<typeof sql.fragment>, given: string) {
  const apart = Math.max(1, Math.round(given.length / 3));
  return sql.fragment`(
    length(${column}) BETWEEN ${given.length - apart} AND ${given.length + apart}
    OR position(${given} IN ${column}) > 0)`;
}
