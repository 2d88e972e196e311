import { z } from "zod";
import { type Db, sql } from "../connection/pool.ts";
import { frontPageIsOpen } from "./open-to-readers.ts";

const ShownOwner = z.strictObject({ id: z.string(), alias: z.string() });

/** The owner who shows this alias, in any letter case. */
export async function findShownOwner(db: Db, alias: string): Promise<z.infer<typeof ShownOwner> | null> {
  return await db.maybeOne(sql.type(ShownOwner)`
    SELECT id, alias FROM owners
    WHERE lower(alias) = lower(${alias}) AND alias IS NOT NULL AND show_alias AND status = 'active'`);
}

/** The ids of an owner's agents whose front pages are open; an owner has few. */
export async function listOpenAgentIds(db: Db, ownerId: string): Promise<readonly string[]> {
  return await db.anyFirst(sql.type(z.strictObject({ id: z.string() }))`
    SELECT a.id FROM agents a JOIN owners o ON o.id = a.owner_id
    WHERE a.owner_id = ${ownerId} AND ${frontPageIsOpen} ORDER BY a.handle`);
}
