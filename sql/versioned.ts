import type { z } from "zod";
import { sql, type Tx } from "./connection/pool.ts";

/** A table whose rows agents change under If-Match: each has the columns `id` and `lock_version`. */
interface VersionedTable<Row extends object> {
  /** The table with its alias, as UPDATE names it. */
  name: ReturnType<typeof sql.fragment>;
  /** The alias before the dot of `id`. */
  alias: string;
  columns: ReturnType<typeof sql.fragment>;
  row: z.ZodType<Row>;
}

/** What a statement that changes many rows at once has to set besides: the next version of each. */
export const raised = sql.fragment`lock_version = lock_version + 1`;

/**
 * Changes one row and raises its lock_version by one: every change of a versioned row goes through here, so that none
 * can forget it. Without changes the version alone is raised. Gives the row as it is afterwards.
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
