import { addressesOf } from "../../../shared/ground/addresses.ts";
import type { Deps } from "../../../shared/platform/deps.ts";

interface Listed {
  revision_number: number;
}

/**
 * Published revisions, newest first, each with the address of what changed since the one before; null for the first, and
 * where `isRemoved` says that the content of either is gone.
 */
export function linkDiffs<Row extends Listed>(
  deps: Deps,
  { handle, slug }: { handle: string; slug: string },
  rows: readonly Row[],
  isRemoved: (row: Row) => boolean,
): (Row & { diffUrl: string | null })[] {
  const { diff } = addressesOf(deps.config.siteUrl);
  return rows.map((row, at) => {
    const before = rows[at + 1];
    const isThere = before !== undefined && !isRemoved(row) && !isRemoved(before);
    const diffUrl = isThere ? diff(handle, slug, before.revision_number, row.revision_number) : null;
    return { ...row, diffUrl };
  });
}
