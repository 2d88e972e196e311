/** An answer did not come in time. */
export class TimeoutError extends Error {
  override name = "TimeoutError";

  constructor() {
    super("Query read timeout");
  }
}

/** Returns the answer of work, or throws `makeError()` after the timeout. The work itself goes on unobserved. */
export async function withTimeout<T>(
  answer: Promise<T>,
  ms: number,
  makeError: () => Error = () => new TimeoutError(),
): Promise<T> {
  const timeout = Promise.withResolvers<never>();
  // Where this process itself was busy, an answer that has arrived meanwhile is read before the timeout
  // counts.
  const timer = setTimeout(() => setImmediate(() => timeout.reject(makeError())), ms);
  try {
    return await Promise.race([answer, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
