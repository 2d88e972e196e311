import {
  type CommonQueryMethods,
  createPool,
  createTimestampWithTimeZoneTypeParser,
  type DatabasePool,
  type DatabaseTransactionConnection,
  type DriverTypeParser,
  type Interceptor,
  type QueryResultRow,
  type QuerySqlToken,
  SchemaValidationError,
  sql as slonikSql,
} from "slonik";
import { z } from "zod";
import { runWithAfterCommit } from "./after-commit.ts";
import { type AroundStatement, openDriver } from "./driver.ts";
import { type LivenessLimits, openLiveness } from "./liveness.ts";
import { keepStatementNames, typeNamed } from "./statement-names.ts";

/** How columns are read that the driver would read otherwise. */
const TYPE_PARSERS: DriverTypeParser[] = [
  createTimestampWithTimeZoneTypeParser(),
  { name: "int8", parse: toSafeNumber },
  { name: "numeric", parse: Number },
  { name: "date", parse: (value) => value },
];

function toSafeNumber(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new Error("an int8 value is too large for a number");
  return number;
}

export { UniqueIntegrityConstraintViolationError } from "slonik";

/** A pool or a transaction: a read may run on either. */
export type Db = CommonQueryMethods;
/** A transaction: a write must run on one. */
export type Tx = DatabaseTransactionConnection;
export type Pool = DatabasePool;

export const sql = { ...slonikSql, type: typeNamed };

/** A statement whose rows nobody reads. */
export const command = sql.type(z.strictObject({}));

/** The row of a statement that answers with an id alone, or with a count. */
export const Id = z.strictObject({ id: z.string() });
export const Count = z.strictObject({ count: z.number() });

/** A timestamp given as epoch milliseconds, as SQL; exact, where to_timestamp() of a float is not. */
export function at(epochMs: number) {
  return sql.fragment`${new Date(epochMs).toISOString()}::timestamptz`;
}

/** The same form for a timestamp that may be missing. */
export function atOrNull(epochMs: number | null) {
  return epochMs === null ? sql.fragment`NULL::timestamptz` : at(epochMs);
}

/** Bytes, which may be missing, as a bytea value. */
export function bytesOrNull(bytes: Uint8Array | null) {
  return bytes === null ? sql.fragment`NULL::bytea` : sql.fragment`${sql.binary(Buffer.from(bytes))}::bytea`;
}

/** Strings as a text[] value. */
export function texts(values: readonly string[]) {
  return sql.array([...values], "text");
}

/** Words as a tsquery value: one may stand in half of all works, another in none, so no plan serves both. */
export function tsquery(words: string) {
  return sql.fragment`${words}::tsquery /* planned anew */`;
}

/** A timestamp in a row: epoch milliseconds. Within JSON it comes as text. */
export const Timestamp = z.union([z.number(), z.iso.datetime({ offset: true }).transform(Date.parse)]);

/** A part of a statement. */
export type Fragment = ReturnType<typeof slonikSql.fragment>;

/** The rows of a statement in their order as one column of JSON; their timestamps are text there. */
export function jsonRows(rows: Fragment | QuerySqlToken) {
  return sql.fragment`(SELECT coalesce(json_agg(row), '[]'::json) FROM (${rows}) AS row)`;
}

const STATEMENT_MS = 15_000;

/** Opens the pool of our own queries to PostgreSQL; every row is checked against its statement's schema. */
export async function openPool(
  databaseUrl: string,
  options: {
    maxConnections: number;
    onStatement?: (text: string) => void;
    aroundStatement?: AroundStatement;
    liveness?: Partial<LivenessLimits>;
    /** Whether statements that are sent again are prepared: yes, unless a proxy hands each to another connection. */
    isPreparing?: boolean;
  },
): Promise<Pool> {
  if (options.aroundStatement !== undefined) keepStatementNames();
  const pool = await createPool(databaseUrl, {
    maxPoolSize: options.maxConnections,
    captureStackTrace: false,
    connectionTimeout: 5_000,
    idleTimeout: 60_000,
    // A dead connection stays in the pool this long after it was given up.
    gracefulTerminationTimeout: 1_000,
    statementTimeout: STATEMENT_MS,
    idleInTransactionSessionTimeout: STATEMENT_MS,
    driverFactory: openDriver(openLiveness(databaseUrl, options.liveness), {
      around: options.aroundStatement,
      isPreparing: options.isPreparing ?? true,
    }),
    // No code uses session state, so a connection needs no DISCARD ALL between two uses.
    resetConnection: async () => {},
    typeParsers: TYPE_PARSERS,
    interceptors: [countStatements(options.onStatement), checkRows],
  });
  const { transaction } = pool;
  return {
    ...pool,
    transaction: (handler, retries) =>
      runWithAfterCommit((wrap) => transaction((tx) => wrap(() => handler(tx)), retries)),
  };
}

const checkRows: Interceptor = {
  name: "check-rows",
  transformRowAsync: async (context, query, row) => {
    const schema = context.resultParser;
    if (!schema) return row;
    const result = await schema["~standard"].validate(row);
    if (result.issues) throw new SchemaValidationError(query, row, result.issues);
    return result.value as QueryResultRow;
  },
};

function countStatements(onStatement: ((text: string) => void) | undefined): Interceptor {
  if (!onStatement) return { name: "no-count" };
  return {
    name: "count-statements",
    beforeQueryExecution: (_context, query) => {
      onStatement(query.sql);
      return null;
    },
  };
}
