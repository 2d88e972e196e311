import { z } from "zod";
import { openClosablePool } from "./closable-pool.ts";
import { TimeoutError, withTimeout } from "./with-timeout.ts";

/**
 * Why a replica returned nothing: `away` until it answers again, `busy` with other queries, `timed_out`, or
 * `failed`.
 */
export type Silence = "away" | "busy" | "timed_out" | "failed";

/** A replica returned nothing in time; the caller asks the primary. */
export class ReplicaSilent extends Error {
  override name = "ReplicaSilent";
  readonly reason: Silence;

  constructor(reason: Silence) {
    super(`The replica gave no answer: ${reason}.`);
    this.reason = reason;
  }
}

/** A copy of the database that lags behind. It serves only data that never changes under its name. */
export interface Replica {
  /** Whether it answered the last query. */
  isUp(): boolean;
  /** The rows of a statement; throws `ReplicaSilent` soon where none come. */
  ask<Row extends z.ZodType>(row: Row, text: string, values: unknown[]): Promise<z.infer<Row>[]>;
  close(): Promise<void>;
}

// A body is one lookup by key, which takes milliseconds: after this time the primary is asked instead.
const WAIT_MS = 250;
/** The pause before a silent replica is tried again; meanwhile no request waits for it. */
const RETRY_MS = 2_000;
const PROBE_MS = 1_000;
// The connections of an API process to it.
const REPLICA_CONNECTIONS = 4;
// Behind this many waiting queries, the primary is faster.
const MOST_WAITING = 8;

/**
 * Opens connections to a replica. It is up once it has answered; one that never answers costs no request any
 * time.
 */
export function openReplica(url: string): Replica {
  const { pool, closeAll } = openClosablePool({
    connectionString: url,
    max: REPLICA_CONNECTIONS,
    connectionTimeoutMillis: PROBE_MS,
    query_timeout: PROBE_MS,
    idleTimeoutMillis: 60_000,
  });
  let isUp = false;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const probe = async () => {
    isUp = await withTimeout(pool.query("SELECT 1"), PROBE_MS).then(
      () => !closed,
      () => false,
    );
    if (!isUp) tryLater();
  };
  const tryLater = () => {
    // Queries that wait on the same server go to the primary at once, and no half-open connection remains.
    closeAll();
    if (!closed) timer = setTimeout(() => void probe(), RETRY_MS).unref();
  };
  const giveUp = () => {
    if (!isUp) return;
    isUp = false;
    tryLater();
  };
  void probe();
  return {
    isUp: () => isUp,
    async ask(row, text, values) {
      if (!isUp) throw new ReplicaSilent("away");
      if (pool.waitingCount >= MOST_WAITING) throw new ReplicaSilent("busy");
      try {
        const { rows } = await withTimeout(pool.query(text, values), WAIT_MS);
        return z.array(row).parse(rows);
      } catch (error) {
        giveUp();
        throw new ReplicaSilent(error instanceof TimeoutError ? "timed_out" : "failed");
      }
    },
    async close() {
      closed = true;
      isUp = false;
      clearTimeout(timer);
      closeAll();
      await pool.end();
    },
  };
}
