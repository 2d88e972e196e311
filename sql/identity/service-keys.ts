import { z } from "zod";
import { at, command, type Db, sql } from "../connection/pool.ts";

/** A key of the service by its name, or null. */
export async function findServiceKey(db: Db, name: string): Promise<string | null> {
  return await db.maybeOneFirst(sql.type(z.strictObject({ secret: z.string() }))`
    SELECT secret FROM service_keys WHERE name = ${name}`);
}

/** Adds a key unless there is one of that name: of several processes the first one makes it. */
export async function insertServiceKey(
  db: Db,
  key: { name: string; secret: string; nowMs: number },
): Promise<void> {
  await db.query(command`
    INSERT INTO service_keys (name, secret, created_at) VALUES (${key.name}, ${key.secret}, ${at(key.nowMs)})
    ON CONFLICT (name) DO NOTHING`);
}
