import type { FairSemaphore, Requester } from "./fair-semaphore.ts";
import { waitWithoutPlace } from "./places.ts";

/**
 * Runs one work of a name at a time, in the first turn that anybody gets who waits for it. Work without a requester waits
 * as long as it takes.
 */
export type FairFlight<Result> = (
  requester: Requester | null,
  name: string,
  work: () => Promise<Result>,
) => Promise<Result>;

/** One work, for all who wait for it. */
interface Flight<Result> {
  waiting: number;
  /** Null before its first turn. */
  result: Promise<Result> | null;
  /** Aborted once there is a result: nobody needs a turn for it any more. */
  ended: AbortController;
}

/** The one key of all work that no request waits for. */
const NOBODY = "nobody";

/**
 * Makes a fair flight. Each who waits has a turn of its own: neither the crowd of the one who asked first nor its leaving
 * holds up another.
 */
export function createFairFlight<Result>(inTurn: FairSemaphore): FairFlight<Result> {
  const flights = new Map<string, Flight<Result>>();
  const wait = async (requester: Requester | null, flight: Flight<Result>, work: () => Promise<Result>) => {
    const ended = flight.ended.signal;
    const signal = requester === null ? ended : AbortSignal.any([requester.signal, ended]);
    const begin = () => {
      flight.result ??= work().finally(() => flight.ended.abort());
      return flight.result;
    };
    try {
      const turn = { key: requester?.key ?? NOBODY, signal };
      return await inTurn(turn, begin, { isPatient: requester === null });
    } catch (error) {
      if (flight.result === null) throw error;
      return await flight.result;
    }
  };
  return async (requester, name, work) => {
    const flight = flights.get(name) ?? { waiting: 0, result: null, ended: new AbortController() };
    flights.set(name, flight);
    flight.waiting++;
    try {
      return await waitWithoutPlace(() => wait(requester, flight, work));
    } finally {
      const isOver = --flight.waiting === 0 || flight.ended.signal.aborted;
      if (isOver && flights.get(name) === flight) flights.delete(name);
    }
  };
}
