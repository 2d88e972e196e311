import type pg from "pg";
import type { z } from "zod";
import { openClosablePool } from "../connection/closable-pool.ts";
import { DeadConnection, type LivenessLimits, openLiveness } from "../connection/liveness.ts";
import { PAGE_VERSION_STATEMENTS, type PageSubject, type PageVersionRow } from "./page-versions.ts";

/**
 * Reads the page version of each subject, or null where readers may not open it. Equal versions mean equal
 * pages. One statement reads all subjects of a kind.
 */
export interface PageVersions {
  read(subjects: readonly PageSubject[], nowMs: number): Promise<readonly (string | null)[]>;
  close(): Promise<void>;
}

// No longer than a reader waits; after 503 a reader requests the page again.
const READ_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;
// A plan made for small tables must not be reused once they have grown, so plans always use indexes.
const SESSION = `SET plan_cache_mode = force_generic_plan; SET jit = off; SET enable_seqscan = off;
  SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_memoize = off;
  SET statement_timeout = ${READ_TIMEOUT_MS}`;

/**
 * Opens the reader of page versions. These are the hottest statements of the service, so they are prepared
 * and go through pg itself (through slonik each read costs twice as much).
 */
export function openPageVersions(
  databaseUrl: string,
  connections: number,
  limits: Partial<LivenessLimits> = {},
): PageVersions {
  const { pool, run } = openStatements(databaseUrl, connections, limits);
  return {
    async read(subjects, nowMs) {
      const versions: (string | null)[] = subjects.map(() => null);
      await Promise.all(
        PAGE_VERSION_STATEMENTS.map(async ({ kind, text, valuesOf }) => {
          const places = subjects.flatMap((subject, place) => (subject.kind === kind ? [place] : []));
          if (places.length === 0) return;
          const asked = places.flatMap((place) => subjects[place] ?? []);
          for (const { place, version } of await run({
            name: `page-version-${kind}`,
            text,
            values: valuesOf(asked, nowMs),
          })) {
            versions[places[place - 1] ?? -1] = version;
          }
        }),
      );
      return versions;
    },
    close: () => pool.end(),
  };
}

const BROKEN = /^Connection terminated|ECONNRESET|EPIPE/;

type Statement = { name: string; text: string; values: unknown[] };

/** Runs a read again on another connection when its own breaks or is found dead. */
function openStatements(databaseUrl: string, connections: number, limits: Partial<LivenessLimits>) {
  const liveness = openLiveness(databaseUrl, limits);
  const backends = new WeakMap<pg.ClientBase, number>();
  const { pool, closeAll } = openClosablePool({
    connectionString: databaseUrl,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: READ_TIMEOUT_MS,
    onConnect: async (client) => {
      // The current read gets the error itself; without this listener the error would end the process.
      client.on("error", () => undefined);
      await client.query(SESSION);
      const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
      backends.set(client, rows[0]?.pid ?? 0);
    },
  });
  const ask = async (statement: Statement) => {
    const client = await pool.connect();
    try {
      const answer = client.query<z.infer<typeof PageVersionRow>>(statement);
      const { rows } = await liveness.expect(backends.get(client) ?? 0, answer);
      client.release();
      return rows;
    } catch (error) {
      client.release(true);
      throw error;
    }
  };
  const run = async (statement: Statement) => {
    // The cause has mostly broken all connections: the read is repeated once for each of them.
    for (let left = connections; ; left -= 1) {
      try {
        return await ask(statement);
      } catch (error) {
        if (error instanceof DeadConnection) closeAll();
        else if (!(error instanceof Error && BROKEN.test(error.message))) throw error;
        if (left === 0) throw error;
      }
    }
  };
  return { pool, run };
}
