/** Where a process begins to turn requests away; times in milliseconds. */
export interface PressureSettings {
  /** At once, while answers are fast. */
  mostAtOnce: number;
  /** At once, however slow answers are. */
  leastAtOnce: number;
  /** What answers may take on average; while they take longer, only so many are let in as are done in this time. */
  answerMs: number;
  /** How long a request may have waited for the event loop, where so many others came with it. */
  waitMs: number;
  crowd: number;
}

const USUAL: PressureSettings = {
  mostAtOnce: 96,
  leastAtOnce: 32,
  answerMs: 200,
  waitMs: 300,
  crowd: 128,
};
/** Writes that are let in at once while reads are turned away: of 15 a second, as one agent makes then, half a second's. */
const WRITES_BESIDE_A_CROWD = 8;

const WINDOW_MS = 125;
/** One slow moment is no overload: so many windows in a row are. */
const SLOW_WINDOWS = 2;

/** How much a process has to do, by what it saw in the last second. Times are of one clock that only moves forward. */
export interface Pressure {
  /** Whether a request that came may begin now. */
  mayBegin(nowMs: number): boolean;
  begin(): void;
  end(tookMs: number): void;
  /** Whether requests were turned away in this window or the last one. */
  isTurningAway(): boolean;
  /** Called by a timer: that it comes late tells how long requests wait for the event loop. */
  beat(nowMs: number): void;
}

/** Reads, which are fast and many, and writes, which wait for each other: neither makes the other look slow or fast. */
export interface Pressures {
  reads: Pressure;
  writes: Pressure;
}

/** Both for a process without requests; settings that are given hold for both. */
export function openPressures(given: Partial<PressureSettings> = {}): Pressures {
  const reads = openPressure(given);
  return { reads, writes: openPressure(given, () => reads.isTurningAway()) };
}

/**
 * A process without requests; settings that are not given are the usual ones. While `isCrowded`, of work that waits for
 * each other only as much is let in as is done in time: who comes last waits for all before.
 */
export function openPressure(
  given: Partial<PressureSettings> = {},
  isCrowded: () => boolean = () => false,
): Pressure {
  const settings = { ...USUAL, ...given };
  const window = { sinceMs: Number.NEGATIVE_INFINITY, answered: 0, tookMs: 0, turnedAway: 0, wasIdle: true };
  let underWay = 0;
  // Before the first beat nothing is late.
  let tickAtMs = Number.POSITIVE_INFINITY;
  let cameSinceTick = 0;
  let slowWindows = 0;
  let wasTurningAway = false;
  let perSecond = 0;
  // What can be done, where there was always something to do.
  let busyPerSecond: number | null = null;

  const closeWindow = (nowMs: number) => {
    wasTurningAway = window.turnedAway > 0;
    const rate = (window.answered * 1_000) / (nowMs - window.sinceMs);
    perSecond = (perSecond + rate) / 2;
    busyPerSecond = window.wasIdle ? null : ((busyPerSecond ?? rate) + rate) / 2;
    // Nothing was answered: that says nothing about how long answers take.
    if (window.answered > 0) {
      const isSlow = window.tookMs / window.answered > settings.answerMs;
      // Answers are faster because others are turned away: letting those in would make them slow again.
      const isHeld = slowWindows >= SLOW_WINDOWS && window.turnedAway > 0;
      slowWindows = isSlow || isHeld ? slowWindows + 1 : 0;
    }
    Object.assign(window, { sinceMs: nowMs, answered: 0, tookMs: 0, turnedAway: 0, wasIdle: underWay === 0 });
  };
  const most = () => {
    if (busyPerSecond !== null && isCrowded()) {
      return Math.max(WRITES_BESIDE_A_CROWD, (busyPerSecond * settings.answerMs) / 1_000);
    }
    const doneInTime = (perSecond * settings.answerMs) / 1_000;
    const atLeast = slowWindows >= SLOW_WINDOWS ? settings.leastAtOnce : settings.mostAtOnce;
    return Math.max(atLeast, doneInTime);
  };
  return {
    mayBegin(nowMs) {
      cameSinceTick++;
      const waitedLong = cameSinceTick > settings.crowd && nowMs - tickAtMs > settings.waitMs;
      const mayBegin = !waitedLong && underWay < most();
      if (!mayBegin) window.turnedAway++;
      return mayBegin;
    },
    begin() {
      underWay++;
    },
    end(tookMs) {
      underWay--;
      if (underWay === 0) window.wasIdle = true;
      window.answered++;
      window.tookMs += tookMs;
    },
    isTurningAway: () => wasTurningAway || window.turnedAway > 0,
    beat(nowMs) {
      tickAtMs = nowMs;
      cameSinceTick = 0;
      if (nowMs - window.sinceMs >= WINDOW_MS) closeWindow(nowMs);
    },
  };
}
