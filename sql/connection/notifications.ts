import pg from "pg";

/** One waiter for one payload; every announcement since it was opened counts. */
export interface Watch {
  /**
   * Resolves with the next announcement, a lost connection or the timeout; the caller then looks at the row.
   */
  next(timeoutMs: number): Promise<void>;
  close(): void;
}

/** Listens to PostgreSQL notifications of one channel, distinguished by their payload. */
export interface Notifications {
  /** Opens a watch; it resolves once the process listens, so a row read afterwards misses nothing. */
  watch(payload: string): Promise<Watch>;
  close(): Promise<void>;
}

/** The state of one listener. */
interface State {
  listeners: Map<string, Set<Listener>>;
  connection: Promise<pg.Client> | null;
  isClosed: boolean;
}

/**
 * Opens one dedicated connection per process, with the first watch and again after a loss: LISTEN needs a
 * session of its own, which a pool does not give.
 */
export function listenTo(databaseUrl: string, channel: string): Notifications {
  const state: State = { listeners: new Map(), connection: null, isClosed: false };
  return {
    async watch(payload) {
      const listener = openListener();
      const set = state.listeners.get(payload) ?? new Set();
      state.listeners.set(payload, set.add(listener));
      if (!state.isClosed) state.connection ??= connect(databaseUrl, channel, state);
      // Without a connection the waiter still looks at the row after its timeout.
      await state.connection?.catch(() => {
        state.connection = null;
      });
      return {
        next: listener.next,
        close() {
          set.delete(listener);
          if (set.size === 0 && state.listeners.get(payload) === set) state.listeners.delete(payload);
        },
      };
    },
    async close() {
      state.isClosed = true;
      const client = await state.connection?.catch(() => null);
      await client?.end();
      wakeAll(state);
    },
  };
}

async function connect(databaseUrl: string, channel: string, state: State): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    keepAlive: true,
    connectionTimeoutMillis: 2_000,
    query_timeout: 2_000,
  });
  client.on("error", () => wakeAll(state));
  client.on("end", () => wakeAll(state));
  client.on("notification", ({ payload }) => {
    for (const listener of state.listeners.get(payload ?? "") ?? []) listener.wake();
  });
  await client.connect();
  try {
    await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
  } catch (error) {
    void client.end().catch(() => undefined);
    throw error;
  }
  return client;
}

/** After a lost connection every waiter looks at its row, and the next watch connects again. */
function wakeAll(state: State): void {
  state.connection = null;
  for (const set of state.listeners.values()) for (const listener of set) listener.wake();
}

interface Listener {
  wake(): void;
  next(timeoutMs: number): Promise<void>;
}

function openListener(): Listener {
  let wasWoken = false;
  let endWait: (() => void) | null = null;
  return {
    wake() {
      wasWoken = true;
      endWait?.();
    },
    async next(timeoutMs) {
      if (!wasWoken && timeoutMs > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs);
          endWait = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      wasWoken = false;
      endWait = null;
    },
  };
}
