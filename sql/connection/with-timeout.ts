/** An answer did not come in its time. */
export class TimeoutError extends Error {
  override name = "TimeoutError";

  constructor() {
    super("Query read timeout");
  }
}

/** Whether somebody still waits for an answer. */
export interface Waiting {
  isOver: boolean;
}

/** Gives the error that ends the waiting once the time is up; null where the answer is waited for all the same. */
export type WhenLate = (waiting: Waiting) => Error | null | Promise<Error | null>;

/**
 * The answer; where it does not come in its time, the error that `whenLate` gives, else a `TimeoutError`. Work that
 * takes longer goes on, and nobody waits for it.
 */
export async function withTimeout<T>(
  answer: Promise<T>,
  ms: number,
  whenLate: WhenLate = () => new TimeoutError(),
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const waiting: Waiting = { isOver: false };
  const giveUp = async () => {
    const error = await whenLate(waiting);
    if (error !== null) late.reject(error);
  };
  // Where this process was busy itself, an answer that has come meanwhile is read before the time counts as up.
  const timer = setTimeout(() => setImmediate(() => void giveUp().catch(late.reject)), ms);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    waiting.isOver = true;
    clearTimeout(timer);
  }
}
