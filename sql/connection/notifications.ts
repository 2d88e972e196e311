import pg from "pg";

/** One waiter's ear for one payload; anything announced since it was opened counts. */
export interface Watch {
  /** Resolves with the next announcement (or a lost connection: look at the row), or when the time is over. */
  next(timeoutMs: number): Promise<void>;
  close(): void;
}

/** Waits for PostgreSQL notifications of one channel, told apart by their payload. */
export interface Notifications {
  /** Opens an ear; when it resolves, the process listens, so a row read afterwards misses nothing. */
  watch(payload: string): Promise<Watch>;
  close(): Promise<void>;
}

/**
 * One dedicated connection a process, opened with the first watch and again after it was lost: LISTEN needs a
 * session of its own, which a pool does not give.
 */
export function listenTo(databaseUrl: string, channel: string): Notifications {
  const ears = new Map<string, Set<Ear>>();
  let connection: Promise<pg.Client> | null = null;
  let closed = false;
  const lose = () => {
    connection = null;
    for (const set of ears.values()) for (const ear of set) ear.hear();
  };
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({
      connectionString: databaseUrl,
      keepAlive: true,
      connectionTimeoutMillis: 2_000,
      query_timeout: 2_000,
    });
    client.on("error", lose);
    client.on("end", lose);
    client.on("notification", ({ payload }) => {
      for (const ear of ears.get(payload ?? "") ?? []) ear.hear();
    });
    await client.connect();
    try {
      await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    return client;
  };
  return {
    async watch(payload) {
      const ear = openEar();
      const set = ears.get(payload) ?? new Set();
      ears.set(payload, set.add(ear));
      if (!closed) connection ??= connect();
      // Without a listener the waiter still looks at the row when its time is over.
      await connection?.catch(() => {
        connection = null;
      });
      return {
        next: ear.next,
        close() {
          set.delete(ear);
          if (set.size === 0 && ears.get(payload) === set) ears.delete(payload);
        },
      };
    },
    async close() {
      closed = true;
      const client = await connection?.catch(() => null);
      await client?.end();
      lose();
    },
  };
}

interface Ear {
  hear(): void;
  next(timeoutMs: number): Promise<void>;
}

function openEar(): Ear {
  let heard = false;
  let wake: (() => void) | null = null;
  return {
    hear() {
      heard = true;
      wake?.();
    },
    async next(timeoutMs) {
      if (!heard && timeoutMs > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      heard = false;
      wake = null;
    },
  };
}
