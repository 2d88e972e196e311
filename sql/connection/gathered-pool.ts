import { z } from "zod";
import { type Pool, sql } from "./pool.ts";
import { checkRow, kindOf, type Query, type Row, redirectReads, type Waiting } from "./redirected-reads.ts";

/** A read that waits to be sent. */
interface Gathered extends Waiting {
  /** The columns of numbers: those of timestamps come as text in JSON. */
  numbers: readonly string[];
}

/**
 * A pool whose reads of one moment are one statement: what a page asks for without waiting for something else is sent
 * together, costs one round trip, and sees one state of the database. Each read gets the rows that it would get by
 * itself. Searches are planned for their words, and what they are read with would be too: they are sent with one another.
 * Writes and transactions go through as they are.
 */
export function openGatheredPool(pool: Pool): Pool {
  const gather = { read: openGathering(pool), search: openGathering(pool) };
  return redirectReads(pool, (query, read) => {
    const kind = kindOf(query);
    const numbers = kind === null ? null : listNumbers(query);
    if (kind === null || numbers === null) return read.readAlone() as Promise<never>;
    return new Promise((resolve, reject) => {
      gather[kind]({ query, numbers, ...read, resolve: resolve as Waiting["resolve"], reject });
    });
  });
}

function openGathering(pool: Pool): (read: Gathered) => void {
  let waiting: Gathered[] = [];
  const send = () => {
    const reads = waiting;
    waiting = [];
    const [first] = reads;
    if (reads.length === 1 && first !== undefined) first.readAlone().then(first.resolve, first.reject);
    else readTogether(pool, reads).catch((error) => reads.forEach(({ reject }) => void reject(error)));
  };
  return (read) => {
    waiting.push(read);
    // Behind everything that already has what it waits for, and may ask for more.
    if (waiting.length === 1) queueMicrotask(() => process.nextTick(send));
  };
}

const Together = z.record(z.string(), z.array(z.record(z.string(), z.unknown())).nullable());

async function readTogether(pool: Pool, reads: readonly Gathered[]): Promise<void> {
  const columns = reads.map(
    ({ query }, at) =>
      sql.fragment`(SELECT json_agg(gathered_row) FROM (${query}) AS gathered_row) AS ${sql.identifier([`r${at}`])}`,
  );
  const found = await pool.one(sql.type(Together)`SELECT ${sql.join(columns, sql.fragment`, `)}`);
  for (const [at, read] of reads.entries()) {
    try {
      const rows = (found[`r${at}`] ?? []).map((row) => checkGathered(read, row));
      read.resolve(read.toAnswer(rows));
    } catch (error) {
      read.reject(error);
    }
  }
}

function checkGathered({ query, numbers }: Gathered, row: Row): Row {
  for (const name of numbers) {
    const time = row[name];
    if (typeof time === "string") row[name] = Date.parse(time);
  }
  return checkRow(query, row);
}

const known = new WeakMap<object, readonly string[] | null>();

/** The columns of numbers of a read; null of one that may not be gathered. */
function listNumbers({ parser }: Query): readonly string[] | null {
  if (!(parser instanceof z.ZodObject)) return null;
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
