import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { type Waiting, withTimeout } from "./with-timeout.ts";

/** The far end of a connection has vanished or was silent for too long. */
export class DeadConnection extends Error {
  override name = "DeadConnection";

  constructor() {
    super("Query read timeout");
  }
}

/**
 * Waits for answers on connections whose far end may have vanished silently. The server's own time limits do
 * not reach such a connection; where an answer is overdue, a second connection asks the server whether it
 * works on it.
 */
export type Liveness = ReturnType<typeof openLiveness>;

/**
 * When an overdue answer is first checked and how often again (`askAfterMs`), and when it is given up
 * (`silenceMs`).
 */
export interface LivenessLimits {
  askAfterMs: number;
  silenceMs: number;
}

// Nearly every answer comes within milliseconds, so a check is rare.
const ASK_AFTER_MS = 2_000;
/** The server ends a statement after 15 s and reports it: a longer silence means a lost connection. */
const SILENCE_MS = 20_000;
// An answer may be in transit while the server already reports the backend as idle.
const ON_ITS_WAY_MS = 300;
// A server that accepts no connection for this long is unavailable for every other request, too.
const REACH_MS = 5_000;
const TOO_MANY_CONNECTIONS = "53300";

const IS_AT_WORK = `SELECT EXISTS (SELECT 1 FROM pg_stat_activity
  WHERE pid = $1 AND state = 'active' AND wait_event IS DISTINCT FROM 'ClientRead') AS is_at_work`;
// A backend whose client gave up may hold locks that the next try waits for.
const END_BACKEND = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE pid = $1 AND usename = current_user AND state <> 'active'`;

/** Opens the liveness checks of connections to one server. */
export function openLiveness(databaseUrl: string, limits: Partial<LivenessLimits> = {}) {
  const silenceMs = limits.silenceMs ?? SILENCE_MS;
  const askAfterMs = Math.min(limits.askAfterMs ?? ASK_AFTER_MS, silenceMs);
  return {
    /**
     * The answer of a backend of the server, by its process id; rejects with `DeadConnection` where none will
     * come.
     */
    async expect<T>(backend: number, answer: Promise<T>) {
      return await withTimeout(answer, askAfterMs, async (waiting) => {
        const isDead = await untilDead(databaseUrl, backend, { askAfterMs, silenceMs }, waiting);
        return isDead ? new DeadConnection() : null;
      });
    },
  };
}

/** Checks repeatedly until the answer has come (false) or none will (true). */
async function untilDead(
  databaseUrl: string,
  backend: number,
  { askAfterMs, silenceMs }: LivenessLimits,
  waiting: Waiting,
): Promise<boolean> {
  const timeUp = silenceMs > askAfterMs ? AbortSignal.timeout(silenceMs - askAfterMs) : AbortSignal.abort();
  while (!waiting.isOver) {
    if (timeUp.aborted) return true;
    const found = await askAbout(databaseUrl, backend);
    if (found === "away") return !waiting.isOver;
    if (found === "idle") {
      await delay(ON_ITS_WAY_MS);
      if (waiting.isOver) return false;
      if ((await askAbout(databaseUrl, backend)) !== "at work") {
        await askAnew(databaseUrl, END_BACKEND, backend).catch(() => undefined);
        return !waiting.isOver;
      }
    }
    await delay(askAfterMs, undefined, { signal: timeUp }).catch(() => undefined);
  }
  return false;
}

async function askAbout(databaseUrl: string, backend: number): Promise<"at work" | "idle" | "away"> {
  try {
    const [row] = await askAnew(databaseUrl, IS_AT_WORK, backend);
    return row?.is_at_work === true ? "at work" : "idle";
  } catch (error) {
    // A server without a free connection is alive, and may be working.
    const isFull = error instanceof pg.DatabaseError && error.code === TOO_MANY_CONNECTIONS;
    return isFull ? "at work" : "away";
  }
}

/** Runs one statement on a connection of its own. */
async function askAnew(databaseUrl: string, text: string, backend: number) {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: REACH_MS,
    query_timeout: REACH_MS,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return (await client.query<{ is_at_work?: boolean }>(text, [backend])).rows;
  } finally {
    // Nobody waits for the close of a connection that may be as dead as the first.
    client.end().catch(() => undefined);
  }
}
