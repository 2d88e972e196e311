/** An answer did not come in time. */
export class TimeoutError extends Error {
  override name = "TimeoutError";

  constructor() {
    super("Query read timeout");
  }
}

/** Whether a caller still waits for an answer. */
export interface Waiting {
  isOver: boolean;
}

/** Returns the error that ends the wait after the timeout; null where the wait goes on. */
export type WhenLate = (waiting: Waiting) => Error | null | Promise<Error | null>;

/**
 * Returns the answer of work, or throws after the timeout: the error of `whenLate`, else a `TimeoutError`.
 * The work itself goes on unobserved.
 */
export async function withTimeout<T>(
  answer: Promise<T>,
  ms: number,
  whenLate: WhenLate = () => new TimeoutError(),
): Promise<T> {
  const timeout = Promise.withResolvers<never>();
  const waiting: Waiting = { isOver: false };
  const giveUp = async () => {
    const error = await whenLate(waiting);
    if (error !== null) timeout.reject(error);
  };
  // Where this process itself was busy, an answer that has arrived meanwhile is read before the timeout
  // counts.
  const timer = setTimeout(() => setImmediate(() => void giveUp().catch(timeout.reject)), ms);
  try {
    return await Promise.race([answer, timeout.promise]);
  } finally {
    waiting.isOver = true;
    clearTimeout(timer);
  }
}
