import { createPgDriverFactory } from "@slonik/pg-driver";
import { LRUCache } from "lru-cache";
import type { DriverClient, DriverFactory } from "slonik";
import { DeadConnection, type Liveness } from "./liveness.ts";
import { withTimeout } from "./with-timeout.ts";

/** A connection keeps the plans of at most so many statements: of 60 KB each, measured over those of pages. */
export const MOST_PREPARED = 128;
/** A text that was sent so often by a process will be sent again; those with a list of values in them mostly are not. */
const SENDS_BEFORE = 3;
const TEXTS_COUNTED = 2_000;
/** A longer text has its values in it, one by one; what stands around a work is read in one of 10,000. */
const MOST_CHARACTERS = 12_000;

/** A statement with this comment, which `tsquery` of the pool writes, is planned for its values each time. */
const PLANNED_ANEW = "/* planned anew */";

/**
 * Names for the statements that a process sends again and again. PostgreSQL parses and plans a named statement once for each
 * connection, which takes more of its time than most of our reads do; of a statement whose best plan depends on its
 * values, it makes a new plan each time all the same. Returns the name of a text, or null.
 */
function openPreparedNames(): (text: string) => string | null {
  const sends = new LRUCache<string, number>({ max: TEXTS_COUNTED });
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= MOST_PREPARED || text.length > MOST_CHARACTERS) return null;
    if (text.includes(PLANNED_ANEW)) return null;
    const count = (sends.get(text) ?? 0) + 1;
    sends.set(text, count);
    if (count <= SENDS_BEFORE) return null;
    sends.delete(text);
    const name = `broadsheet_${names.size}`;
    names.set(text, name);
    return name;
  };
}

const CONNECT_MS = 5_000;

/** Wraps the sending of a statement; it knows the text and no values. */
export type AroundStatement = <T>(text: string, send: () => Promise<T>) => Promise<T>;

/**
 * slonik's driver, whose queries also end where no answer comes. A dead connection is closed, so that it
 * takes no place in the pool, and with it every idle one: the cause has mostly broken all of them.
 */
export function openDriver(
  liveness: Liveness,
  { around, isPreparing }: { around?: AroundStatement | undefined; isPreparing: boolean },
): DriverFactory {
  const nameOf = isPreparing ? openPreparedNames() : () => null;
  const createDriver = createPgDriverFactory();
  return async (options) => {
    const driver = await createDriver(options);
    const clients = new Set<DriverClient>();
    const giveUp = (dead: DriverClient) => {
      for (const client of clients) {
        // This closes the socket, which fails the abandoned query.
        if (client === dead || client.state() === "IDLE") client.destroy().catch(() => undefined);
      }
    };
    return {
      async createClient() {
        const client = await driver.createClient();
        const backend = await askForBackend(client);
        // Until the pool takes it, it is idle, too; the pool takes it without a look, and fails where it is destroyed by then.
        client.on("acquire", () => clients.add(client));
        client.on("destroy", () => clients.delete(client));
        const query: DriverClient["query"] = async (text, values, more) => {
          try {
            const name = nameOf(text);
            const options = name === null ? more : { ...more, name };
            return await liveness.expect(backend, client.query(text, values, options));
          } catch (error) {
            if (error instanceof DeadConnection) giveUp(client);
            throw error;
          }
        };
        if (around === undefined) return { ...client, query };
        return { ...client, query: (text, values, more) => around(text, () => query(text, values, more)) };
      },
    };
  };
}

/**
 * Switches memoize off: a list of thirty works of a million would allocate memory for every agent. The
 * planner sizes that memory by the table, not by the list, and allocating it takes longer than the whole
 * list.
 */
const OPENING = "SELECT pg_backend_pid() AS pid, set_config('enable_memoize', 'off', false)";

/** The process id of the server's backend for a new connection. */
async function askForBackend(client: DriverClient): Promise<number> {
  client.acquire();
  try {
    const { rows } = await withTimeout(client.query(OPENING), CONNECT_MS);
    await client.release();
    // The server may end it behind its first answer: then its release is its end, and succeeds. The pool would hand it to
    // whoever waits for a connection, whose wait would never end, and the failure would end this process.
    if (client.state() !== "IDLE") throw new DeadConnection();
    return Number(rows[0]?.pid);
  } catch (error) {
    client.destroy().catch(() => undefined);
    throw error;
  }
}
