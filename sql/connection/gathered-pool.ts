import { DataIntegrityError, NotFoundError, SchemaValidationError } from "slonik";
import { z } from "zod";
import { type Pool, sql } from "./pool.ts";

type Row = Record<string, unknown>;
type Query = Parameters<Pool["any"]>[0];

/** A read that waits to be sent, and who waits for its rows. */
interface Waiting {
  query: Query;
  /** The columns of numbers: those of timestamps come as text in JSON. */
  numbers: readonly string[];
  /** Reads it by itself, as the pool does. */
  readAlone(): Promise<unknown>;
  /** Makes the answer of its rows, as the pool's method of that name does. */
  toAnswer(rows: readonly Row[]): unknown;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/**
 * A pool whose reads of one moment are one statement: what a page asks for without waiting for something else is sent
 * together, costs one round trip, and sees one state of the database. Each read gets the rows that it would get by
 * itself. Writes, transactions and searches go through as they are.
 */
export function openGatheredPool(pool: Pool): Pool {
  let waiting: Waiting[] = [];
  const send = () => {
    const reads = waiting;
    waiting = [];
    const [first] = reads;
    if (reads.length === 1 && first !== undefined) first.readAlone().then(first.resolve, first.reject);
    else readTogether(pool, reads).catch((error) => reads.forEach(({ reject }) => void reject(error)));
  };
  const gather = (query: Query, read: Pick<Waiting, "readAlone" | "toAnswer">): Promise<never> => {
    const numbers = listNumbers(query);
    if (numbers === null) return read.readAlone() as Promise<never>;
    return new Promise((resolve, reject) => {
      waiting.push({ query, numbers, ...read, resolve: resolve as Waiting["resolve"], reject });
      // Behind everything that already has what it waits for, and may ask for more.
      if (waiting.length === 1) queueMicrotask(() => process.nextTick(send));
    });
  };
  return {
    ...pool,
    any: (query) => gather(query, { readAlone: () => pool.any(query), toAnswer: (rows) => rows }),
    anyFirst: (query) =>
      gather(query, { readAlone: () => pool.anyFirst(query), toAnswer: (rows) => rows.map(firstOf) }),
    maybeOne: (query) =>
      gather(query, { readAlone: () => pool.maybeOne(query), toAnswer: (rows) => onlyOf(query, rows) }),
    maybeOneFirst: (query) =>
      gather(query, {
        readAlone: () => pool.maybeOneFirst(query),
        toAnswer: (rows) => firstOf(onlyOf(query, rows)),
      }),
    one: (query) =>
      gather(query, { readAlone: () => pool.one(query), toAnswer: (rows) => someOf(query, rows) }),
    oneFirst: (query) =>
      gather(query, {
        readAlone: () => pool.oneFirst(query),
        toAnswer: (rows) => firstOf(someOf(query, rows)),
      }),
  };
}

const Together = z.record(z.string(), z.array(z.record(z.string(), z.unknown())).nullable());

async function readTogether(pool: Pool, reads: readonly Waiting[]): Promise<void> {
  const columns = reads.map(
    ({ query }, at) =>
      sql.fragment`(SELECT json_agg(gathered_row) FROM (${query}) AS gathered_row) AS ${sql.identifier([`r${at}`])}`,
  );
  const found = await pool.one(sql.type(Together)`SELECT ${sql.join(columns, sql.fragment`, `)}`);
  for (const [at, read] of reads.entries()) {
    try {
      const rows = (found[`r${at}`] ?? []).map((row) => checkRow(read, row));
      read.resolve(read.toAnswer(rows));
    } catch (error) {
      read.reject(error);
    }
  }
}

function checkRow({ query, numbers }: Waiting, row: Row): Row {
  for (const name of numbers) {
    const time = row[name];
    if (typeof time === "string") row[name] = Date.parse(time);
  }
  const { data, error } = (query.parser as unknown as z.ZodObject).safeParse(row);
  if (error) throw new SchemaValidationError(query, row as never, error.issues);
  return data;
}

const firstOf = (row: Row | null): unknown => row && Object.values(row)[0];

function onlyOf(query: Query, rows: readonly Row[]): Row | null {
  if (rows.length > 1) throw new DataIntegrityError("Query returned too many rows.", query);
  return rows[0] ?? null;
}

function someOf(query: Query, rows: readonly Row[]): Row {
  const row = onlyOf(query, rows);
  if (row === null) throw new NotFoundError("Query returned no rows.", query);
  return row;
}

const known = new WeakMap<object, readonly string[] | null>();

const READ = /^\s*(?:SELECT|WITH)\b/;
// Searches are planned for their words, and what they are read with would be too.
const NEVER = /\b(?:INSERT|UPDATE|DELETE)\b|::tsquery\b/;

/** The columns of numbers of a read that may be gathered; null of any other statement. */
function listNumbers({ sql: text, parser }: Query): readonly string[] | null {
  if (!(parser instanceof z.ZodObject) || !READ.test(text) || NEVER.test(text)) return null;
  const found = known.get(parser);
  if (found !== undefined) return found;
  const columns = Object.entries<z.core.$ZodType>(parser.shape);
  const numbers = columns.flatMap(([name, schema]) => (bare(schema) instanceof z.ZodNumber ? [name] : []));
  const fits = !columns.some(([, schema]) => holdsBytes(schema));
  known.set(parser, fits ? numbers : null);
  return fits ? numbers : null;
}

function bare(schema: z.core.$ZodType): z.core.$ZodType {
  const isWrapped = schema instanceof z.ZodNullable || schema instanceof z.ZodOptional;
  return isWrapped ? bare(schema.unwrap()) : schema;
}

/** Bytes are another text in JSON. */
function holdsBytes(schema: z.core.$ZodType): boolean {
  const inner = bare(schema);
  return inner instanceof z.ZodUnion ? inner.options.some(holdsBytes) : inner instanceof z.ZodCustom;
}
