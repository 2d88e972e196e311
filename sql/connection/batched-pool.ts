import pg from "pg";
import { COLUMN_TYPES } from "./column-types.ts";
import type { HotStatements } from "./hot-statements.ts";
import type { Pool } from "./pool.ts";
import { openPreparedNames } from "./prepared.ts";
import { checkRow, kindOf, type Query, type Row, redirectReads } from "./redirected-reads.ts";

/** The values of one read. */
type Values = readonly Scalar[];
type Scalar = string | number | boolean | null;

/** Gathers what is asked for while something is read, and reads it together; equal keys are read once. */
type OpenLoader = (
  load: (all: readonly Values[]) => Promise<readonly (readonly Row[])[]>,
) => (values: Values) => Promise<readonly Row[]>;

interface Batches {
  statements: HotStatements;
  openLoader: OpenLoader;
  onStatement?: ((text: string) => void) | undefined;
}

/**
 * A pool whose reads of several requests are one statement: those of one text that wait at the same time are read for
 * all their values at once. Each begins after it was asked for, and gets the rows that it would get by itself. Reads with
 * lists of values, writes, transactions and searches go through as they are.
 */
export function openBatchedPool(pool: Pool, { statements, openLoader, onStatement }: Batches): Pool {
  const nameOf = openPreparedNames();
  const loaders = new Map<string, ReturnType<OpenLoader>>();
  const find = (query: Query, kinds: string) => {
    const known = loaders.get(kinds + query.sql);
    if (known !== undefined) return known;
    const text = writeBatch(query.sql, kinds);
    const name = nameOf(text);
    if (name === null) return null;
    const loader = openLoader(async (all) => {
      onStatement?.(text);
      const values = [...kinds].map((_, place) => all.map((one) => one[place]));
      const answer = await statements.runForLists({ name, text, values, types: COLUMN_TYPES });
      return sortRows(answer, all.length);
    });
    loaders.set(kinds + query.sql, loader);
    return loader;
  };
  return redirectReads(pool, async (query, read) => {
    const kinds = kindOf(query) === "read" ? listKinds(query.values) : null;
    const load = kinds === null ? null : find(query, kinds);
    if (load === null) return (await read.readAlone()) as never;
    const rows = await load(query.values as Values).catch((error) => {
      if (isOfOneRead(error)) return null;
      throw error;
    });
    // What one of them was refused for is no matter of the others.
    if (rows === null) return (await read.readAlone()) as never;
    return read.toAnswer(rows.map((row) => checkRow(query, row))) as never;
  });
}

const TYPES: Readonly<Record<string, string>> = { t: "text", n: "bigint", b: "boolean" };

/** A letter for the type of each value; null where they are none, or some are lists, bytes or fractions. */
function listKinds(values: readonly unknown[]): string | null {
  let kinds = "";
  for (const value of values) {
    if (value === null || typeof value === "string") kinds += "t";
    else if (typeof value === "boolean") kinds += "b";
    else if (Number.isSafeInteger(value)) kinds += "n";
    else return null;
  }
  return kinds === "" ? null : kinds;
}

const VALUE = /\$slonik_(\d+)/g;

/**
 * The statement that reads the same for many values: for each place in the lists, the read as it stands. OFFSET keeps it
 * one, so that it is planned as by itself; such a join is a loop, which leaves the rows of each place in their order.
 */
function writeBatch(text: string, kinds: string): string {
  const lists = [...kinds].map((kind, place) => `$${place + 1}::${TYPES[kind]}[]`);
  const names = [...kinds].map((_, place) => `v${place + 1}`);
  return `SELECT batch.place::int AS place, rows.* FROM unnest(${lists.join(", ")}) WITH ORDINALITY AS batch (${names.join(", ")}, place)
    CROSS JOIN LATERAL (SELECT * FROM (${text.replace(VALUE, "batch.v$1")}) AS one OFFSET 0) AS rows`;
}

/** The rows of each place, with their columns by name. */
function sortRows({ fields, rows }: pg.QueryArrayResult, places: number): Row[][] {
  const sorted: Row[][] = Array.from({ length: places }, () => []);
  for (const cells of rows) {
    const row: Row = {};
    for (let at = 1; at < fields.length; at++) row[fields[at]?.name ?? ""] = cells[at];
    sorted[(cells[0] as number) - 1]?.push(row);
  }
  return sorted;
}

// Bad values, and what a batch cannot say: a value whose type does not follow from it, a plan that a migration ended.
const OF_ONE = /^(?:22|42|0A)/;

function isOfOneRead(error: unknown): boolean {
  return error instanceof pg.DatabaseError && OF_ONE.test(error.code ?? "");
}
