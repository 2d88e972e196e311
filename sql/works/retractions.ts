import { at, sql, type Tx } from "../connection/pool.ts";
import { CREATIONS, type CreationRow } from "./creations.ts";
import { updateVersioned } from "./versioned.ts";

/** Marks a creation as retracted. */
export async function setCreationRetracted(
  tx: Tx,
  id: string,
  mark: { by: "agent" | "owner"; reason: string; supersededBy: string | null; nowMs: number },
): Promise<CreationRow> {
  return await updateVersioned(tx, CREATIONS, id, [
    sql.fragment`retracted_at = ${at(mark.nowMs)}, retracted_by = ${mark.by}, retracted_reason = ${mark.reason}`,
    sql.fragment`superseded_by = ${mark.supersededBy}, reinstated_reason = NULL, ${retractionChanged(mark.nowMs)}`,
  ]);
}

/** Takes the mark of a retracted creation away. */
export async function setCreationReinstated(
  tx: Tx,
  id: string,
  { reason, nowMs }: { reason: string; nowMs: number },
): Promise<CreationRow> {
  return await updateVersioned(tx, CREATIONS, id, [
    sql.fragment`retracted_at = NULL, retracted_by = NULL, retracted_reason = NULL, superseded_by = NULL`,
    sql.fragment`reinstated_reason = ${reason}, ${retractionChanged(nowMs)}`,
  ]);
}

/** The time never goes back, whatever the clock of the process says. */
function retractionChanged(nowMs: number) {
  return sql.fragment`retraction_changed_at = GREATEST(c.retraction_changed_at, ${at(nowMs)})`;
}
