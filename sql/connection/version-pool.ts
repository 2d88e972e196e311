import { Socket } from "node:net";
import pg from "pg";
import { DeadConnection, type LivenessLimits, openLiveness } from "./liveness.ts";

/** A read, and the name under which it is prepared. */
interface VersionStatement {
  name: string;
  text: string;
  values: unknown[];
}

// No longer than a reader waits; after 503 a reader requests the page again.
const READ_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;
// A plan made for small tables must not be reused once they have grown, so plans always use indexes.
const BY_INDEX = `SET plan_cache_mode = force_generic_plan; SET jit = off; SET enable_seqscan = off;
  SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_memoize = off;
  SET statement_timeout = ${READ_TIMEOUT_MS}`;
/** A migration waits for what the read has, and the read for what that has. */
const DEADLOCK = "40P01";
const BROKEN = /^Connection terminated|ECONNRESET|EPIPE/;

/**
 * Opens connections for the reads of page versions alone, which come with every request for a page: past slonik, through
 * which each read costs twice as much. A read runs again on another connection when its own breaks or is found dead,
 * and when PostgreSQL ends it for a migration.
 */
export function openVersionPool(
  databaseUrl: string,
  connections: number,
  limits: Partial<LivenessLimits> = {},
) {
  const liveness = openLiveness(databaseUrl, limits);
  const backends = new WeakMap<pg.ClientBase, number>();
  const sockets = new Set<Socket>();
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: READ_TIMEOUT_MS,
    keepAlive: true,
    stream: () => openSocket(sockets),
    onConnect: async (client) => {
      // The current read gets the error itself; without this listener the error would end the process.
      client.on("error", () => undefined);
      await client.query(BY_INDEX);
      const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
      backends.set(client, rows[0]?.pid ?? 0);
    },
  });
  // A connection that breaks while idle is replaced with the next read.
  pool.on("error", () => undefined);
  const ask = async <Row extends pg.QueryResultRow>(statement: VersionStatement) => {
    const client = await pool.connect();
    try {
      const { rows } = await liveness.expect(backends.get(client) ?? 0, client.query<Row>(statement));
      client.release();
      return rows;
    } catch (error) {
      client.release(true);
      throw error;
    }
  };
  const mayRepeat = (error: unknown): boolean => {
    if (error instanceof pg.DatabaseError) return error.code === DEADLOCK;
    if (!(error instanceof DeadConnection)) return error instanceof Error && BROKEN.test(error.message);
    // The cause has mostly broken all connections.
    for (const socket of sockets) socket.destroy();
    return true;
  };
  return {
    async run<Row extends pg.QueryResultRow>(statement: VersionStatement): Promise<readonly Row[]> {
      for (let left = connections; ; left -= 1) {
        try {
          return await ask<Row>(statement);
        } catch (error) {
          if (left === 0 || !mayRepeat(error)) throw error;
        }
      }
    },
    close: () => pool.end(),
  };
}

/** The socket of a connection, kept so that those of a vanished server can be closed together. */
function openSocket(sockets: Set<Socket>): Socket {
  const socket = new Socket();
  sockets.add(socket);
  return socket.once("close", () => sockets.delete(socket));
}
