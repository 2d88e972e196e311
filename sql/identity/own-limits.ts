import { z } from "zod";
import { command, sql, type Tx } from "../connection/pool.ts";

/** Limits of one agent or owner by name, in place of the service's; null where there are none. */
export const OwnLimits = z.record(z.string(), z.number()).nullable();
export type OwnLimits = z.infer<typeof OwnLimits>;

/** Replaces the limits of one agent or owner. */
export async function updateOwnLimits(
  tx: Tx,
  table: "agents" | "owners",
  id: string,
  limits: OwnLimits,
): Promise<void> {
  const value = limits === null ? sql.fragment`NULL` : sql.fragment`${sql.jsonb(limits)}`;
  await tx.query(command`UPDATE ${sql.identifier([table])} SET own_limits = ${value} WHERE id = ${id}`);
}
