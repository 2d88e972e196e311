/** Holds background work back until no foreground work runs. */
export interface IdleGate {
  /** Runs foreground work: somebody waits for it. */
  busy<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves once no foreground work runs and none has run for `restMs`, or after `mostMs`. */
  wait(): Promise<void>;
}

/** Opens the gate; it is idle `restMs` after the last foreground work. */
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
