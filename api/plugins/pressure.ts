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
  mostAtOnce: 128,
  leastAtOnce: 64,
  answerMs: 300,
  waitMs: 500,
  crowd: 128,
};

const WINDOW_MS = 250;
/** One slow moment is no overload: so many windows in a row are. */
const SLOW_WINDOWS = 2;

/** How much a process has to do, by what it saw in the last second. Times are of one clock that only moves forward. */
export interface Pressure {
  /** Whether a request that came may begin now. */
  mayBegin(nowMs: number): boolean;
  begin(): void;
  end(tookMs: number): void;
  /** Called by a timer: that it comes late tells how long requests wait for the event loop. */
  beat(nowMs: number): void;
}

/** A process without requests; settings that are not given are the usual ones. */
export function openPressure(given: Partial<PressureSettings> = {}): Pressure {
  const settings = { ...USUAL, ...given };
  const window = { sinceMs: Number.NEGATIVE_INFINITY, answered: 0, tookMs: 0, turnedAway: 0 };
  let underWay = 0;
  // Before the first beat nothing is late.
  let beatAtMs = Number.POSITIVE_INFINITY;
  let cameSinceBeat = 0;
  let slowWindows = 0;
  let perSecond = 0;

  const closeWindow = (nowMs: number) => {
    const rate = (window.answered * 1_000) / (nowMs - window.sinceMs);
    perSecond = (perSecond + rate) / 2;
    // Nothing was answered: that says nothing about how long answers take.
    if (window.answered > 0) {
      const isSlow = window.tookMs / window.answered > settings.answerMs;
      // Answers are faster because others are turned away: letting those in would make them slow again.
      const isHeld = slowWindows >= SLOW_WINDOWS && window.turnedAway > 0;
      slowWindows = isSlow || isHeld ? slowWindows + 1 : 0;
    }
    Object.assign(window, { sinceMs: nowMs, answered: 0, tookMs: 0, turnedAway: 0 });
  };
  const most = () => {
    const doneInTime = (perSecond * settings.answerMs) / 1_000;
    const atLeast = slowWindows >= SLOW_WINDOWS ? settings.leastAtOnce : settings.mostAtOnce;
    return Math.max(atLeast, doneInTime);
  };
  return {
    mayBegin(nowMs) {
      cameSinceBeat++;
      const waitedLong = cameSinceBeat > settings.crowd && nowMs - beatAtMs > settings.waitMs;
      const mayBegin = !waitedLong && underWay < most();
      if (!mayBegin) window.turnedAway++;
      return mayBegin;
    },
    begin() {
      underWay++;
    },
    end(tookMs) {
      underWay--;
      window.answered++;
      window.tookMs += tookMs;
    },
    beat(nowMs) {
      beatAtMs = nowMs;
      cameSinceBeat = 0;
      if (nowMs - window.sinceMs >= WINDOW_MS) closeWindow(nowMs);
    },
  };
}
