import { z } from "zod";
import { type Fragment, type Pool, sql, type Tx } from "../connection/pool.ts";

const Locked = z.strictObject({ locked: z.boolean() });

/** The key of a lock of this name, as a part of a statement. */
export function lockKeyOf(name: string): Fragment {
  return sql.fragment`hashtextextended(${name}, 0)`;
}

/** Waits for the lock of a name, and holds it until the transaction ends. */
export async function lockName(tx: Tx, name: string): Promise<void> {
  await tx.query(sql.type(z.unknown())`SELECT pg_advisory_xact_lock(${lockKeyOf(name)})`);
}

/** Takes the lock of a name until the transaction ends; false where another one holds it. */
export async function tryLockName(tx: Tx, name: string): Promise<boolean> {
  return await tx.oneFirst(sql.type(Locked)`SELECT pg_try_advisory_xact_lock(${lockKeyOf(name)}) AS locked`);
}

/**
 * Runs work in one process at a time, and either waits for another one or gives null. The lock of a killed process ends
 * with its connection.
 */
export async function withLock<T>(
  pool: Pool,
  { name, waits }: { name: string; waits: boolean },
  work: () => Promise<T>,
): Promise<T | null> {
  return await pool.connect(async (connection) => {
    const key = lockKeyOf(name);
    if (waits) await connection.query(sql.type(z.unknown())`SELECT pg_advisory_lock(${key})`);
    else if (!(await connection.oneFirst(sql.type(Locked)`SELECT pg_try_advisory_lock(${key}) AS locked`)))
      return null;
    try {
      return await work();
    } finally {
      await connection.query(sql.type(z.unknown())`SELECT pg_advisory_unlock(${key})`);
    }
  });
}
