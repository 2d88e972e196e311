import { z } from "zod";
import { at, command, type Db, sql, type Tx } from "../connection/pool.ts";

/**
 * The setting that a restore leaves until `backup resume`: when it was restored. Until then the service stands still: no
 * POST leaves it (`outbound/send-request.ts`), and no mail but sign-in links (`mail/mailer.ts`).
 */
export const RESTORED_AT = "restored_at";

/** The setting with the time of the newest backup that misses nothing. */
export const BACKED_UP_AT = "backed_up_at";

/** A setting that the running service saved, or null. */
export async function findServiceSetting(db: Db, name: string): Promise<string | null> {
  return await db.maybeOneFirst(sql.type(z.strictObject({ value: z.string() }))`
    SELECT value FROM service_settings WHERE name = ${name}`);
}

/** Adds a setting, or replaces its value where the value is another. */
export async function upsertServiceSetting(db: Db, setting: { name: string; value: string; nowMs: number }) {
  await db.query(command`
    INSERT INTO service_settings AS s (name, value, changed_at)
    VALUES (${setting.name}, ${setting.value}, ${at(setting.nowMs)})
    ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value, changed_at = EXCLUDED.changed_at
    WHERE s.value <> EXCLUDED.value`);
}

/** Deletes a setting and returns its value; null where there is none. */
export async function takeServiceSetting(tx: Tx, name: string): Promise<string | null> {
  return await tx.maybeOneFirst(sql.type(z.strictObject({ value: z.string() }))`
    DELETE FROM service_settings WHERE name = ${name} RETURNING value`);
}

/** Adds a setting unless there is one of that name. */
export async function insertServiceSetting(db: Db, setting: { name: string; value: string; nowMs: number }) {
  await db.query(command`
    INSERT INTO service_settings (name, value, changed_at)
    VALUES (${setting.name}, ${setting.value}, ${at(setting.nowMs)})
    ON CONFLICT (name) DO NOTHING`);
}

/** A key of the service by its name, or null. */
export async function findServiceKey(db: Db, name: string): Promise<string | null> {
  return await db.maybeOneFirst(sql.type(z.strictObject({ secret: z.string() }))`
    SELECT secret FROM service_keys WHERE name = ${name}`);
}

/** Adds a key unless there is one of that name: of several processes the first one makes it. */
export async function insertServiceKey(db: Db, key: { name: string; secret: string; nowMs: number }) {
  await db.query(command`
    INSERT INTO service_keys (name, secret, created_at) VALUES (${key.name}, ${key.secret}, ${at(key.nowMs)})
    ON CONFLICT (name) DO NOTHING`);
}
