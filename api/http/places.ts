import type { Place } from "../../shared/platform/concurrency/places.ts";

// Seen with `npm run bench -- overload api-reads` on two cores; times in milliseconds.
export const LIMITS = {
  // Fifty connections that read one after the other never wait. A read holds no connection to the database all the time,
  // so the places are more than these ten. At 300 reads a second all are done in 0.2 s.
  reads: 64,
  // One for each connection to the database: a further write would wait for one of these.
  writes: 10,
  // The longest wait for a place: what a caller waits for anyway.
  waitMs: 2_000,
  // The same while others are turned away: with its work a request is answered within a second.
  crowdedWaitMs: 300,
  // Where the oldest request has waited for longer than this, more comes than is done at once. Fifty connections wait
  // less at any pace that is worth serving.
  crowdMs: 100,
  // What comes so soon after a crowd began, or in the same turn of the event loop, is one burst, and may wait. At three
  // times what is done in time, those who came meanwhile are answered within a second.
  burstMs: 200,
};
/** How much one process works on at once, and how long requests wait for that. */
export type LoadLimits = typeof LIMITS;

/** A crowd is over once nobody waited and nobody was turned away for so long. */
const CALM_MS = 1_000;

type Waiting = { sinceMs: number; hasLeft(): boolean; end(hasPlace: boolean): void };

/** The places of one kind of requests. */
export type Places = ReturnType<typeof openPlaces>;

/**
 * Opens so many places for the requests that are worked on. Those who wait are served in their order, behind those who had
 * a place before.
 */
export function openPlaces(most: number, limits: LoadLimits) {
  const queue = new Set<Waiting>();
  const returning: (() => void)[] = [];
  let taken = 0;
  const crowd = openCrowd(most, limits, (nowMs) => {
    const [first] = queue;
    return first ? nowMs - first.sinceMs : 0;
  });
  return {
    mayCome: crowd.mayCome,
    /** Resolves to true once a place is taken; to false where there is none in time, or the caller has left by then. */
    async take(hasLeft: () => boolean): Promise<boolean> {
      if (taken >= most) return await wait(queue, limits.waitMs, hasLeft);
      taken++;
      return true;
    },
    /** The same for a request that goes on with its work: it is never turned away. */
    async takeAgain(): Promise<void> {
      if (taken >= most) return await new Promise((resolve) => returning.push(resolve));
      taken++;
    },
    giveBack(): void {
      const goOn = returning.shift() ?? nextOf(queue);
      if (goOn === undefined) taken--;
      else goOn();
    },
    /** Called at each turn of the event loop: a turn that lasts is a queue that nobody sees. */
    tick(): void {
      const nowMs = performance.now();
      const isCalm = crowd.tick(nowMs, queue.size > 0);
      const isLate = (one: Waiting) => !isCalm && nowMs - one.sinceMs > limits.crowdedWaitMs;
      for (const one of queue) if (isLate(one)) one.end(false);
    },
  };
}

/** What begins the first who waits and is still there. */
function nextOf(queue: Set<Waiting>): (() => void) | undefined {
  for (const one of queue) {
    if (!one.hasLeft()) return () => one.end(true);
    one.end(false);
  }
  return undefined;
}

/** Notices when more requests come than are done in time. */
function openCrowd(most: number, { crowdMs, burstMs }: LoadLimits, longestWaitMs: (nowMs: number) => number) {
  // Requests that arrived in this turn of the event loop, and when it began; unknown before the first.
  let arrived = 0;
  let turnMs = Number.POSITIVE_INFINITY;
  let crowd: { sinceMs: number; turnMs: number } | null = null;
  let turnedAwayMs = Number.NEGATIVE_INFINITY;
  const note = (nowMs: number): boolean => {
    // A turn with few requests is one of them that works for long, and no crowd.
    const turnLastsMs = arrived > most ? nowMs - turnMs : 0;
    if (Math.max(longestWaitMs(nowMs), turnLastsMs) <= crowdMs) return false;
    crowd ??= { sinceMs: nowMs, turnMs };
    return true;
  };
  return {
    /** Whether a request that arrives now is begun in time; called once for each. */
    mayCome(): boolean {
      const nowMs = performance.now();
      arrived++;
      if (!note(nowMs) || crowd === null) return true;
      const isOneTurn = crowd.turnMs === turnMs && arrived > most;
      if (isOneTurn || nowMs - crowd.sinceMs < burstMs) return true;
      turnedAwayMs = nowMs;
      return false;
    },
    /** Begins a turn; returns whether nobody was turned away lately. */
    tick(nowMs: number, isAwaited: boolean): boolean {
      const isCalm = nowMs - turnedAwayMs > CALM_MS;
      if (!note(nowMs) && !isAwaited && isCalm) crowd = null;
      turnMs = nowMs;
      arrived = 0;
      return isCalm;
    },
  };
}

/** Resolves to true where a place is given in time and the caller is still there. */
function wait(queue: Set<Waiting>, mostMs: number, hasLeft: () => boolean): Promise<boolean> {
  return new Promise<boolean>((resolve) => {
    const end = (hasPlace: boolean) => {
      clearTimeout(timer);
      queue.delete(one);
      resolve(hasPlace);
    };
    const one = { sinceMs: performance.now(), hasLeft, end };
    const timer = setTimeout(end, mostMs, false);
    queue.add(one);
  });
}

/** A place that a request has taken; once the request has ended, its work goes on without one. */
export function openPlace(places: Places, requester: Place["requester"]): Place & { end(): void } {
  let isHeld = true;
  let hasEnded = false;
  // Parts of the work may wait at the same time: the place is needed again after the last of them.
  let waits = 0;
  const giveBack = () => {
    if (isHeld) places.giveBack();
    isHeld = false;
  };
  const takeAgain = async () => {
    await places.takeAgain();
    if (isHeld || hasEnded || waits > 0) places.giveBack();
    else isHeld = true;
  };
  return {
    requester,
    async leaveDuring(wait) {
      waits++;
      giveBack();
      try {
        return await wait();
      } finally {
        waits--;
        if (waits === 0 && !hasEnded) await takeAgain();
      }
    },
    end() {
      hasEnded = true;
      giveBack();
    },
  };
}
