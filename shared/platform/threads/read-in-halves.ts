import type { RowsPage } from "../../tables/rows/page.ts";
import type { RowsPlan } from "../../tables/rows/plan.ts";
import type { RowsWindow } from "../../tables/rows/windows.ts";

/** Reads a page from windows. */
type Read = (plan: RowsPlan, windows: readonly RowsWindow[]) => Promise<RowsPage>;

/**
 * Reads a page with conditions from both halves of its windows at once, each in a thread where one is free. The later half
 * is read as if the earlier had no match, and once more where its page turns out to begin or end elsewhere.
 */
export async function readInHalves(
  plan: RowsPlan,
  windows: readonly RowsWindow[],
  read: Read,
): Promise<RowsPage> {
  const { offset, limit } = plan.query;
  const middle = windows.length >> 1;
  const later = windows.slice(middle);
  const [one, other] = await Promise.all([
    read(plan, windows.slice(0, middle)),
    read({ ...plan, query: { ...plan.query, offset: 0 } }, later),
  ]);
  const matched = one.matched + other.matched;
  const skip = Math.max(offset - one.matched, 0);
  const left = limit - one.returned;
  const isFull = left === 0 || one.matched > offset + one.returned;
  if (isFull || other.matched <= skip) return { ...one, matched };
  // Each row counts with its comma.
  const room = plan.rowsResponseBytes - (one.returned === 0 ? 0 : one.rows.length + 1);
  const fits = ({ rows }: RowsPage) => one.returned === 0 || rows.length < room;
  const rest =
    skip === 0 && other.returned <= left && fits(other)
      ? other
      : await read(
          { ...plan, rowsResponseBytes: room, query: { ...plan.query, offset: skip, limit: left } },
          later,
        );
  if (one.returned === 0) return { ...rest, matched };
  // The first row of a page is always taken, but here it is not the first.
  if (!fits(rest)) return { ...one, matched };
  return {
    rows: Buffer.concat([one.rows, Buffer.from(","), rest.rows]),
    returned: one.returned + rest.returned,
    matched,
    numbers: [...one.numbers, ...rest.numbers],
  };
}
