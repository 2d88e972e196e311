import { createPgDriverFactory } from "@slonik/pg-driver";
import type { DriverClient, DriverFactory } from "slonik";

/**
 * slonik's driver, whose queries end after so long also where no answer comes: the server's own timeouts do not reach
 * a client whose connection is half-open. Such a connection is given up, so that it holds no place in the pool.
 */
export function openPatientDriver(answersWithinMs: number): DriverFactory {
  const openDriver = createPgDriverFactory();
  return async (options) => {
    const driver = await openDriver(options);
    return {
      async createClient() {
        const client = await driver.createClient();
        return {
          ...client,
          query: (text, values, more) =>
            expectAnswer(client, client.query(text, values, more), answersWithinMs),
        };
      },
    };
  };
}

async function expectAnswer<T>(client: DriverClient, answer: Promise<T>, withinMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      // Ends the socket; the query, which nobody waits for any more, fails with it.
      client.destroy().catch(() => undefined);
      answer.catch(() => undefined);
      reject(new Error("Query read timeout"));
    }, withinMs);
  });
  try {
    return await Promise.race([answer, timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
