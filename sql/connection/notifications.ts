import pg from "pg";

/** One waiter for one payload of a channel; every announcement since it was opened counts. */
export interface Watch {
  /**
   * Resolves with the next announcement, a lost connection, the end of the watch or the timeout; the caller then looks
   * at the row.
   */
  next(timeoutMs: number): Promise<void>;
  close(): void;
}

/** Listens to PostgreSQL notifications, distinguished by their channel and payload. */
export interface Notifications {
  /** Opens a watch; it resolves once the process listens, so a row read afterwards misses nothing. */
  watch(channel: string, payload: string): Promise<Watch>;
  close(): Promise<void>;
}

/** The state of one process's listener. */
interface State {
  databaseUrl: string;
  listeners: Map<string, Set<Listener>>;
  connection: Promise<pg.Client> | null;
  /** The channels that the connection listens to, or begins to. */
  channels: Map<string, Promise<unknown>>;
  isClosed: boolean;
}

/** How long a waiter without a connection waits at most, before it looks at its row and tries again. */
const UNCONNECTED_MS = 1_000;

/**
 * Opens one dedicated connection per process, with the first watch and again after a loss: LISTEN needs a
 * session of its own, which a pool does not give. The process listens to the channels that were watched.
 */
export function listenTo(databaseUrl: string): Notifications {
  const state: State = {
    databaseUrl,
    listeners: new Map(),
    connection: null,
    channels: new Map(),
    isClosed: false,
  };
  return {
    async watch(channel, payload) {
      const key = keyOf(channel, payload);
      const listener = openListener();
      const set = state.listeners.get(key) ?? new Set();
      state.listeners.set(key, set.add(listener));
      // Without a connection the waiter still looks at the row after its timeout.
      await listen(state, channel);
      return {
        next: (timeoutMs) => next(state, channel, listener, timeoutMs),
        close() {
          set.delete(listener);
          listener.wake();
          if (set.size === 0 && state.listeners.get(key) === set) state.listeners.delete(key);
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

function keyOf(channel: string, payload: string): string {
  return `${channel} ${payload}`;
}

/** A waiter whose connection was lost connects again, and looks at its row at once: something may have come meanwhile. */
async function next(state: State, channel: string, listener: Listener, timeoutMs: number): Promise<void> {
  const isListening = state.isClosed || state.channels.has(channel);
  if (isListening) return await listener.next(timeoutMs);
  if (timeoutMs <= 0 || (await listen(state, channel))) return;
  await listener.next(Math.min(timeoutMs, UNCONNECTED_MS));
}

/** Listens to a channel, connecting first where there is no connection; false where that fails. */
async function listen(state: State, channel: string): Promise<boolean> {
  if (state.isClosed) return false;
  const connection = state.connection ?? connect(state);
  const begun = state.channels.get(channel) ?? connection.then((client) => startChannel(client, channel));
  state.channels.set(channel, begun);
  try {
    await begun;
    return true;
  } catch {
    forget(state, connection);
    void connection.then((client) => client.end()).catch(() => undefined);
    return false;
  }
}

async function startChannel(client: pg.Client, channel: string): Promise<void> {
  await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
}

function connect(state: State): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: state.databaseUrl,
    keepAlive: true,
    connectionTimeoutMillis: 2_000,
    query_timeout: 2_000,
  });
  const connection = client.connect().then(() => client);
  state.connection = connection;
  for (const loss of ["error", "end"] as const) {
    client.on(loss, () => {
      forget(state, connection);
      wakeAll(state);
    });
  }
  client.on("notification", ({ channel, payload }) => {
    for (const listener of state.listeners.get(keyOf(channel, payload ?? "")) ?? []) listener.wake();
  });
  return connection;
}

/** After a lost connection every waiter looks at its row, and the next wait connects again. */
function wakeAll(state: State): void {
  for (const set of state.listeners.values()) for (const listener of set) listener.wake();
}

function forget(state: State, connection: Promise<pg.Client>): void {
  if (state.connection !== connection) return;
  state.connection = null;
  state.channels = new Map();
}

type Listener = ReturnType<typeof openListener>;

function openListener() {
  let wasWoken = false;
  let endWait: (() => void) | null = null;
  return {
    wake() {
      wasWoken = true;
      endWait?.();
    },
    async next(timeoutMs: number) {
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
