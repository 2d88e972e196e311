import { AsyncLocalStorage } from "node:async_hooks";

/** Who waits for the result of a work. */
export interface Requester {
  /** Works of one key share its limit and take turns with those of other keys. */
  key: string;
  /**
   * Aborted once nobody waits for the result any more; a work that has not begun is then dropped. Left out where nobody
   * leaves: the work waits as long as it takes.
   */
  signal?: AbortSignal;
}

/** What a request holds while it works: a process has few, so that it works on no more requests than it can. */
export interface Place {
  /** Who waits for the work that is done in this place. */
  requester(): Requester;
  /** Gives the place back until the wait is over, and has one again before the request goes on. */
  leaveDuring<Result>(wait: () => Promise<Result>): Promise<Result>;
}

const places = new AsyncLocalStorage<Place | null>();

/** Runs the work of a request in its place; with null, work that the request does not wait for. */
export function workInPlace<Result>(place: Place | null, work: () => Result): Result {
  return places.run(place, work);
}

/** Runs work that takes turns as another's than its request's: as an agent's, or as that of all who want the same. */
export function workFor<Result>(requester: Requester, work: () => Result): Result {
  const place: Omit<Place, "requester"> = places.getStore() ?? { leaveDuring: (wait) => wait() };
  return places.run({ ...place, requester: () => requester }, work);
}

/** Who waits for the current work; nobody leaves work that no request waits for. */
export function currentRequester(): Requester {
  return places.getStore()?.requester() ?? { key: "nobody" };
}

/**
 * Waits for a thread, a store, another host or a lock, for which a request gives its place back. Whatever a request waits
 * for beside the database is waited for here: `test/one-of-each.test.ts` finds other ways.
 */
export async function waitWithoutPlace<Result>(wait: () => Promise<Result>): Promise<Result> {
  const place = places.getStore();
  if (!place) return await wait();
  // A wait within the wait gives no place back, and takes none too early.
  const outside: Place = { ...place, leaveDuring: (more) => more() };
  return await place.leaveDuring(() => places.run(outside, wait));
}
