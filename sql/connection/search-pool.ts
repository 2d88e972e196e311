import { COLUMN_TYPES } from "./column-types.ts";
import type { AroundStatement } from "./driver.ts";
import type { HotStatements } from "./hot-statements.ts";
import type { Pool } from "./pool.ts";
import { checkRow, redirectReads } from "./redirected-reads.ts";

/**
 * Lets the planner use bitmaps of the word index only. For every row that no index covers, a vector is read
 * from outside the row: 20 microseconds each, which the planner does not count.
 */
export const SEARCH_SESSION = `SET enable_seqscan = off; SET enable_indexscan = off; SET enable_indexonlyscan = off;
  SET jit = off`;

interface Searches {
  statements: HotStatements;
  onStatement?: ((text: string) => void) | undefined;
  aroundStatement?: AroundStatement | undefined;
}

/**
 * A pool for searches by words, whose connections are set to them: in a transaction of their own they would set that up
 * and clear it away each time. Reads alone go by these connections.
 */
export function openSearchPool(
  pool: Pool,
  { statements, onStatement, aroundStatement = (_text, send) => send() }: Searches,
): Pool {
  return redirectReads(pool, async (query, read) => {
    const text = query.sql.replaceAll("$slonik_", "$");
    onStatement?.(text);
    const values = [...query.values];
    const { fields, rows } = await aroundStatement(text, () =>
      statements.runForLists({ text, values, types: COLUMN_TYPES }),
    );
    const found = rows.map((cells) => Object.fromEntries(fields.map(({ name }, at) => [name, cells[at]])));
    return read.toAnswer(found.map((row) => checkRow(query, row))) as never;
  });
}
