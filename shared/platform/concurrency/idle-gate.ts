import type { Semaphore } from "./semaphore.ts";

/** Holds background work back until no foreground work runs. */
export interface IdleGate {
  /** Runs foreground work: somebody waits for it. */
  busy<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves to true once no foreground work runs and none has run for `restMs`, to false after `mostMs`. */
  wait(mostMs: number): Promise<boolean>;
}

/** Opens the gate; it is idle `restMs` after the last foreground work. */
export function openIdleGate(restMs: number): IdleGate {
  let underWay = 0;
  let restsAtMs = Number.NEGATIVE_INFINITY;
  const msToIdle = () => (underWay > 0 ? restMs : restsAtMs + restMs - performance.now());
  return {
    async busy(work) {
      underWay++;
      try {
        return await work();
      } finally {
        underWay--;
        restsAtMs = performance.now();
      }
    },
    async wait(mostMs) {
      const untilMs = performance.now() + mostMs;
      for (let ms = msToIdle(); ms > 0; ms = msToIdle()) {
        const leftMs = untilMs - performance.now();
        if (leftMs <= 0) return false;
        await new Promise((resolve) => setTimeout(resolve, Math.min(ms, leftMs)));
      }
      return true;
    },
  };
}

/**
 * Turns that begin once the gate is idle, or after `mostMs`. Work that waits for the gate holds no turn, so that urgent
 * work of the same turns goes past it.
 */
export function openIdleTurns(inOrder: Semaphore, idleGate: IdleGate, mostMs: number): Semaphore {
  return async (work) => {
    const lateMs = performance.now() + mostMs;
    for (;;) {
      const isIdle = await idleGate.wait(lateMs - performance.now());
      // Foreground work may have come while others had the turn.
      const mayBegin = async () => !isIdle || (await idleGate.wait(0));
      const done = await inOrder(async () => ((await mayBegin()) ? { result: await work() } : null));
      if (done !== null) return done.result;
    }
  };
}
