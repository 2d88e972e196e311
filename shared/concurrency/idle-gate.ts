/** Holds work that nobody waits for until no work that somebody waits for is under way. */
export interface IdleGate {
  /** Runs work that somebody waits for. */
  busy<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Comes back once no such work is under way and none has been for a while; after `mostMs` in any case. */
  wait(): Promise<void>;
}

/** Opens the gate: it is idle `restMs` after the last work that somebody waited for. */
export function openIdleGate({ restMs, mostMs }: { restMs: number; mostMs: number }): IdleGate {
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
    async wait() {
      const untilMs = performance.now() + mostMs;
      for (let ms = msToIdle(); ms > 0; ms = msToIdle()) {
        const leftMs = untilMs - performance.now();
        if (leftMs <= 0) return;
        await new Promise((resolve) => setTimeout(resolve, Math.min(ms, leftMs)));
      }
    },
  };
}
