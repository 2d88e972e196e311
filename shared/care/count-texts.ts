import { countTextsOfBefore } from "../../sql/identity/text-uses.ts";
import { DAY_MS } from "../ground/times.ts";
import type { Deps } from "../platform/deps.ts";
import { orderWork } from "../platform/pending-work/order-work.ts";

/** In one transaction: each may be a text of 100,000 characters that is measured. */
const ROWS = 200;

/**
 * Counts what the version before wrote, a few rows at a time: a draw worker finds whose the drawings are. Returns how
 * many rows it counted.
 */
export async function sweepTextUses(deps: Deps): Promise<number> {
  return await deps.pool.transaction(async (tx) => {
    const { seen_to, creations, profiles } = await countTextsOfBefore(tx, ROWS, deps.now() - DAY_MS);
    const toJob = (of: "creation" | "profile") => (revision_id: string) =>
      ({ name: "draw-blocks", payload: { of, revision_id, attempt: 1 } }) as const;
    await orderWork(tx, deps, [...creations.map(toJob("creation")), ...profiles.map(toJob("profile"))]);
    return seen_to;
  });
}
