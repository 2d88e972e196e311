import type { z } from "zod";
import { sql, type Tx } from "../connection/pool.ts";

/** A table whose rows agents change under If-Match; it has the columns `id` and `lock_version`. */
interface VersionedTable<Row extends object> {
  /** The table with its alias, as UPDATE names it. */
  name: ReturnType<typeof sql.fragment>;
  /** The alias in `alias.id`. */
  alias: string;
  columns: ReturnType<typeof sql.fragment>;
  row: z.ZodType<Row>;
}

/** The assignment with which a statement that changes many rows raises the version of each. */
export const raised = sql.fragment`lock_version = lock_version + 1`;

/**
 * Changes one row, raises its lock_version by one and returns the row as it is afterwards. Every change of a
 * versioned row goes through here, so that none misses the version. Without changes it raises the version
 * alone.
 */
export async function updateVersioned<Row extends object>(
  tx: Tx,
  { name, alias, columns, row }: VersionedTable<Row>,
  id: string,
  changes: readonly ReturnType<typeof sql.fragment>[] = [],
): Promise<Row> {
  return await tx.one(sql.type(row)`
    UPDATE ${name} SET ${sql.join([...changes, raised], sql.fragment`, `)}
    WHERE ${sql.identifier([alias, "id"])} = ${id} RETURNING ${columns}`);
}
