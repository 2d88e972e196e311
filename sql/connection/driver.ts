import { createPgDriverFactory } from "@slonik/pg-driver";
import type { DriverClient, DriverFactory } from "slonik";
import { DeadConnection, type Liveness } from "./liveness.ts";
import { withTimeout } from "./with-timeout.ts";

const CONNECT_MS = 5_000;

/** Does something around a statement that is sent, knowing its text and none of its values. */
export type AroundStatement = <T>(text: string, send: () => Promise<T>) => Promise<T>;

/**
 * slonik's driver, whose queries end also where no answer comes. A connection that is found dead is given up, so that
 * it holds no place in the pool, and with it every other that nobody uses: what ended one has mostly ended all.
 */
export function openDriver(liveness: Liveness, around?: AroundStatement): DriverFactory {
  const createDriver = createPgDriverFactory();
  return async (options) => {
    const driver = await createDriver(options);
    const clients = new Set<DriverClient>();
    const giveUp = (dead: DriverClient) => {
      for (const client of clients) {
        // Ends the socket; the query, which nobody waits for any more, fails with it.
        if (client === dead || client.state() === "IDLE") client.destroy().catch(() => undefined);
      }
    };
    return {
      async createClient() {
        const client = await driver.createClient();
        clients.add(client);
        client.on("destroy", () => clients.delete(client));
        const backend = await askForBackend(client);
        const query: DriverClient["query"] = async (text, values, more) => {
          try {
            return await liveness.expect(backend, client.query(text, values, more));
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
 * A list of thirty works of a million would bring room for every agent to remember: the planner sizes such memory by the
 * table, not by the list, and making it takes longer than all that the list reads.
 */
const OPENING = "SELECT pg_backend_pid() AS pid, set_config('enable_memoize', 'off', false)";

/** The process of the server that a new connection speaks with. */
async function askForBackend(client: DriverClient): Promise<number> {
  client.acquire();
  try {
    const { rows } = await withTimeout(client.query(OPENING), CONNECT_MS);
    await client.release();
    return Number(rows[0]?.pid);
  } catch (error) {
    client.destroy().catch(() => undefined);
    throw error;
  }
}
