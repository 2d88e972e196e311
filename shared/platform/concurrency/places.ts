import { AsyncLocalStorage } from "node:async_hooks";

/** What a request holds while it works: a process has few, so that it works on no more requests than it can. */
export interface Place {
  /** Gives the place back until the wait is over, and has one again before the request goes on. */
  leaveDuring<Result>(wait: () => Promise<Result>): Promise<Result>;
}

const places = new AsyncLocalStorage<Place | null>();

/** Runs the work of a request in its place; with null, work that the request does not wait for. */
export function workInPlace<Result>(place: Place | null, work: () => Result): Result {
  return places.run(place, work);
}

/**
 * Waits for a thread, a store, another host or a lock, for which a request gives its place back. Whatever a request waits
 * for beside the database is waited for here: `test/one-of-each.test.ts` finds other ways.
 */
export async function waitWithoutPlace<Result>(wait: () => Promise<Result>): Promise<Result> {
  const place = places.getStore() ?? null;
  // Within the wait there is no place to give back, so that a wait inside of it takes none too early.
  return place === null ? await wait() : await place.leaveDuring(() => places.run(null, wait));
}
