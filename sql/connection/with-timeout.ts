/** An answer did not come in its time. */
export class Late extends Error {
  override name = "Late";

  constructor() {
    super("Query read timeout");
  }
}

/** The answer, or `Late` after so long; whoever gives it is left to itself then. */
export async function within<T>(answer: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  // Where this process was busy itself, an answer that has come meanwhile is read before the time counts as up.
  const timer = setTimeout(() => setImmediate(() => late.reject(new Late())), ms);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
    answer.catch(() => undefined);
    late.promise.catch(() => undefined);
  }
}
