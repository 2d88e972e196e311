import { z } from "zod";
import { openClosablePool } from "./closable-pool.ts";
import { TimeoutError, withTimeout } from "./with-timeout.ts";

/** Why a replica told nothing: `away` until it answers again, `busy` with others, `timed_out`, or `failed`. */
export type Silence = "away" | "busy" | "timed_out" | "failed";

/** A replica told nothing in time; whoever asked asks the primary. */
export class ReplicaSilent extends Error {
  override name = "ReplicaSilent";
  readonly reason: Silence;

  constructor(reason: Silence) {
    super(`The replica gave no answer: ${reason}.`);
    this.reason = reason;
  }
}

/** A copy of the database that lags behind. It is asked for what never changes under its name, and for nothing else. */
export interface Replica {
  /** Whether it answered when it was last asked. */
  isUp(): boolean;
  /** The rows of a statement; throws `ReplicaSilent` soon where none come. */
  ask<Row extends z.ZodType>(row: Row, text: string, values: unknown[]): Promise<z.infer<Row>[]>;
  close(): Promise<void>;
}

// A body is a look by its key, which takes milliseconds: later than this the primary is asked instead.
const WAIT_MS = 250;
/** A replica that kept silent is asked so much later whether it is back; meanwhile no request waits for it. */
const RETRY_MS = 2_000;
const PROBE_MS = 1_000;
// How many connections an API process opens to it.
const REPLICA_CONNECTIONS = 4;
// Behind so many others the primary is sooner.
const MOST_WAITING = 8;

/** Opens connections to a replica; it is up once it has answered, and one that never does costs no request anything. */
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
    // Those that wait on the same server ask the primary at once, and no half-open connection is left to the next.
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
