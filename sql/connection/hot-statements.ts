import type pg from "pg";
import { openClosablePool } from "./closable-pool.ts";
import { DeadConnection, type LivenessLimits, openLiveness } from "./liveness.ts";
import { withTimeout } from "./with-timeout.ts";
import { keepQueriesYoung } from "./young-queries.ts";

/** A read, and the name under which it is prepared; one without is planned for its values each time. */
export interface HotStatement {
  name?: string;
  text: string;
  values: unknown[];
}

/** Reads that are sent so often that they have connections of their own and go through pg itself. */
export interface HotStatements {
  run<Row extends pg.QueryResultRow>(statement: HotStatement): Promise<readonly Row[]>;
  /** The same with rows as lists, which take less time to read. */
  runForLists(statement: HotStatement & { types: pg.CustomTypesConfig }): Promise<pg.QueryArrayResult>;
  close(): Promise<void>;
}

// No longer than a reader waits; after 503 a reader requests the page again.
const READ_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;
// A plan made for small tables must not be reused once they have grown, so plans always use indexes.
const BY_INDEX = `SET plan_cache_mode = force_generic_plan; SET jit = off; SET enable_seqscan = off;
  SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_memoize = off`;
const BROKEN = /^Connection terminated|ECONNRESET|EPIPE/;

/**
 * Opens connections for hot statements. They are prepared and past slonik, through which each read costs twice as much.
 * A read runs again on another connection when its own breaks or is found dead.
 */
export function openHotStatements(
  databaseUrl: string,
  connections: number,
  { session = BY_INDEX, ...limits }: Partial<LivenessLimits> & { session?: string } = {},
): HotStatements {
  keepQueriesYoung();
  const liveness = openLiveness(databaseUrl, limits);
  const backends = new WeakMap<pg.ClientBase, number>();
  const { pool, closeAll } = openClosablePool({
    connectionString: databaseUrl,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    onConnect: async (client) => {
      // The current read gets the error itself; without this listener the error would end the process.
      client.on("error", () => undefined);
      backends.set(client, await withTimeout(openSession(client, session), READ_TIMEOUT_MS));
    },
  });
  const ask = async <Answer>(send: (client: pg.ClientBase) => Promise<Answer>): Promise<Answer> => {
    const client = await pool.connect();
    try {
      // A time limit of pg itself would make its queries old at once (young-queries.ts).
      const sent = withTimeout(send(client), READ_TIMEOUT_MS);
      const answer = await liveness.expect(backends.get(client) ?? 0, sent);
      client.release();
      return answer;
    } catch (error) {
      client.release(true);
      throw error;
    }
  };
  const run = async <Answer>(send: (client: pg.ClientBase) => Promise<Answer>): Promise<Answer> => {
    // The cause has mostly broken all connections: the read is repeated once for each of them.
    for (let left = connections; ; left -= 1) {
      try {
        return await ask(send);
      } catch (error) {
        if (error instanceof DeadConnection) closeAll();
        else if (!(error instanceof Error && BROKEN.test(error.message))) throw error;
        if (left === 0) throw error;
      }
    }
  };
  return {
    run: async <Row extends pg.QueryResultRow>(statement: HotStatement) =>
      (await run((client) => client.query<Row>(statement))).rows,
    runForLists: (statement) => run((client) => client.query({ ...statement, rowMode: "array" as const })),
    close: () => pool.end(),
  };
}

/** Sets a session up; returns the process id of its backend. */
async function openSession(client: pg.ClientBase, session: string): Promise<number> {
  await client.query(`${session}; SET statement_timeout = ${READ_TIMEOUT_MS}`);
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return rows[0]?.pid ?? 0;
}
