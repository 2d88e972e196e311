import { DataIntegrityError, NotFoundError, SchemaValidationError } from "slonik";
import type { z } from "zod";
import type { Pool } from "./pool.ts";

/** A row as it comes, before its schema has checked it. */
export type Row = Record<string, unknown>;
export type Query = Parameters<Pool["any"]>[0];

/** The ways of one read: by itself, or from rows that came with others. */
export interface Read {
  /** Reads it by itself, as the pool does. */
  readAlone(): Promise<unknown>;
  /** Makes the answer of its rows, as the pool's method of that name does. */
  toAnswer(rows: readonly Row[]): unknown;
}

/** Who waits for the answer of a read. */
export interface Waiting extends Read {
  query: Query;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/** Lets a read wait for its answer, or reads it alone where it may not be sent with others. */
export type Redirect = (query: Query, read: Read) => Promise<never>;

/** A pool whose reads go another way. Writes, transactions and all else go through as they are. */
export function redirectReads(pool: Pool, redirect: Redirect): Pool {
  return {
    ...pool,
    any: (query) => redirect(query, { readAlone: () => pool.any(query), toAnswer: (rows) => rows }),
    anyFirst: (query) =>
      redirect(query, { readAlone: () => pool.anyFirst(query), toAnswer: (rows) => rows.map(firstOf) }),
    maybeOne: (query) =>
      redirect(query, { readAlone: () => pool.maybeOne(query), toAnswer: (rows) => onlyOf(query, rows) }),
    maybeOneFirst: (query) =>
      redirect(query, {
        readAlone: () => pool.maybeOneFirst(query),
        toAnswer: (rows) => firstOf(onlyOf(query, rows)),
      }),
    one: (query) =>
      redirect(query, { readAlone: () => pool.one(query), toAnswer: (rows) => someOf(query, rows) }),
    oneFirst: (query) =>
      redirect(query, {
        readAlone: () => pool.oneFirst(query),
        toAnswer: (rows) => firstOf(someOf(query, rows)),
      }),
  };
}

/** Checks a row by the schema of its statement, as the pool does. */
export function checkRow(query: Query, row: Row): Row {
  const { data, error } = (query.parser as unknown as z.ZodType<Row>).safeParse(row);
  if (error) throw new SchemaValidationError(query, row as never, error.issues);
  return data;
}

const READ = /^\s*(?:SELECT|WITH)\b/;
const WRITES = /\b(?:INSERT|UPDATE|DELETE)\b/;
const SEARCHES = /::tsquery\b/;

/** Whether a statement is a read, whose plan may be kept, or a search, which is planned for its words; null for others. */
export function kindOf({ sql: text }: Query): "read" | "search" | null {
  if (!READ.test(text) || WRITES.test(text)) return null;
  return SEARCHES.test(text) ? "search" : "read";
}

const firstOf = (row: Row | null): unknown => row && Object.values(row)[0];

function onlyOf(query: Query, rows: readonly Row[]): Row | null {
  if (rows.length > 1) throw new DataIntegrityError("Query returned multiple rows.", query);
  return rows[0] ?? null;
}

function someOf(query: Query, rows: readonly Row[]): Row {
  const row = onlyOf(query, rows);
  if (row === null) throw new NotFoundError("Query returned no rows.", query);
  return row;
}
