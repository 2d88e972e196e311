import { setTimeout as delay } from "node:timers/promises";

const DONE_WITHIN_MS = 120_000;
const TRY_AGAIN_AFTER_MS = 50;

/** Calls a command until it succeeds: its database may be away. */
export async function untilDone<T>(command: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + DONE_WITHIN_MS;
  for (;;) {
    try {
      return await command();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(TRY_AGAIN_AFTER_MS);
    }
  }
}
