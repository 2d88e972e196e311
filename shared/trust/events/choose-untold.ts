import type { Tx } from "../../../sql/connection/pool.ts";
import { listUntold, type OutboxRow } from "../../../sql/trust/event-sequencing.ts";

const ROWS_A_READ = 500;

/**
 * Chooses up to `most` changes to be told next: new ones in the order of the outbox, then those that are being told, the
 * least told first. Within each creation the order stays that of commits: a change waits while an earlier one is still to
 * tell of its creation, or of one that it names.
 */
export async function chooseUntold(tx: Tx, most: number): Promise<readonly OutboxRow[]> {
  const chosen: OutboxRow[] = [];
  const begun: OutboxRow[] = [];
  const mustWait = openOrder();
  for (let afterId = 0; ; ) {
    const rows = await listUntold(tx, afterId, ROWS_A_READ);
    for (const row of rows) {
      if (mustWait(row)) continue;
      if (row.part !== "new") begun.push(row);
      else if (chosen.push(row) === most) return chosen;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_A_READ) break;
    afterId = last.id;
  }
  const leastTold = begun.toSorted((left, right) => left.told - right.told || left.id - right.id);
  return [...chosen, ...leastTold].slice(0, most);
}

/** Whether a change must wait for earlier ones; it is asked for each in the order of the outbox. */
function openOrder(): (row: OutboxRow) => boolean {
  /** The creations of which an earlier change is still to tell. */
  const awaited = new Set<string>();
  return ({ creation_id: own, named, part }) => {
    const told = [own, ...(named ?? []).map(([target]) => target)].filter((id) => id !== null);
    const waits = part === "new" && told.some((id) => awaited.has(id));
    // What a change tells of the works that it names comes first, what it tells of its own may take many parts.
    if (own !== null) awaited.add(own);
    if (waits) for (const id of told) awaited.add(id);
    return waits;
  };
}
