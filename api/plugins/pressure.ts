/** The limits at which a process begins to turn requests away; times in milliseconds. */
export interface PressureSettings {
  /** Most requests at once while answers are fast. */
  mostAtOnce: number;
  /** Requests that may always run at once, however slow answers are. */
  leastAtOnce: number;
  /**
   * The mean time that answers may take. While they take longer, the process admits only as many requests as
   * it completes in this time.
   */
  answerMs: number;
  /** The longest wait for the event loop when more than `crowd` requests came since its last tick. */
  waitMs: number;
  crowd: number;
}

// Tried with `npm run bench -- overload` (three times the load that a process can serve, on two cores): with these,
// p99 of everything served was 527 to 732 ms in three rounds; it may be 1,000.
const DEFAULTS: PressureSettings = {
  // With 128 and a wait of 500 ms the start of a flood alone made p99 1,912 to 2,263 ms in the same hour.
  mostAtOnce: 96,
  // The bench measures what a process can serve with 32 connections: fewer would leave it idle between answers.
  leastAtOnce: 32,
  // A fifth of the second that p99 may take: behind it wait the event loop and the database's own queue.
  answerMs: 200,
  waitMs: 300,
  // More than `mostAtOnce`, so that a burst of that size into an idle process passes whole.
  crowd: 128,
};
/**
 * Writes admitted at once while reads are turned away: half a second's worth of an agent that makes 15 a
 * second.
 */
const WRITES_BESIDE_A_CROWD = 8;

/**
 * Eight windows a second, of some six ticks each, so that the pace is known before a flood is a second old.
 */
const WINDOW_MS = 125;
/** One slow window may be one collection of garbage: two in a row are overload. */
const SLOW_WINDOWS = 2;

/** The load of a process, measured over the last second. All times come from one monotonic clock. */
export interface Pressure {
  /** Whether a new request may begin now. */
  mayBegin(nowMs: number): boolean;
  begin(): void;
  end(tookMs: number): void;
  /** Whether requests were turned away in this window or the last one. */
  isTurningAway(): boolean;
  /** Called by a timer: a late tick shows how long requests wait for the event loop. */
  tick(nowMs: number): void;
}

/** Reads, which are fast and many, and writes, which wait for each other: neither makes the other look slow or fast. */
export interface Pressures {
  reads: Pressure;
  writes: Pressure;
}

/** Opens both for a process without requests; given settings hold for both. */
export function openPressures(given: Partial<PressureSettings> = {}): Pressures {
  const reads = openPressure(given);
  return { reads, writes: openPressure(given, () => reads.isTurningAway()) };
}

/** The state that requests change as they begin and end. */
interface State {
  underWay: number;
  /** The time of the last tick; before the first tick nothing is late. */
  tickAtMs: number;
  cameSinceTick: number;
  window: { sinceMs: number; answered: number; tookMs: number; turnedAway: number; wasIdle: boolean };
  slowWindows: number;
  wasTurningAway: boolean;
  /** Answers a second, smoothed over windows. */
  perSecond: number;
  /**
   * Answers a second, smoothed over windows that were never idle: the capacity of the process; null before
   * the first.
   */
  busyPerSecond: number | null;
}

/**
 * Opens the pressure of a process without requests; settings left out are the defaults. Writes wait for each
 * other, so while `isCrowded` the process admits only as many as it completes in time.
 */
export function openPressure(
  given: Partial<PressureSettings> = {},
  isCrowded: () => boolean = () => false,
): Pressure {
  const settings = { ...DEFAULTS, ...given };
  const state = openState();
  return {
    mayBegin(nowMs) {
      state.cameSinceTick++;
      const waitedLong = state.cameSinceTick > settings.crowd && nowMs - state.tickAtMs > settings.waitMs;
      const mayBegin = !waitedLong && state.underWay < countPlaces(state, settings, isCrowded);
      if (!mayBegin) state.window.turnedAway++;
      return mayBegin;
    },
    begin() {
      state.underWay++;
    },
    end(tookMs) {
      state.underWay--;
      if (state.underWay === 0) state.window.wasIdle = true;
      state.window.answered++;
      state.window.tookMs += tookMs;
    },
    isTurningAway: () => state.wasTurningAway || state.window.turnedAway > 0,
    tick(nowMs) {
      state.tickAtMs = nowMs;
      state.cameSinceTick = 0;
      if (nowMs - state.window.sinceMs >= WINDOW_MS) closeWindow(state, settings, nowMs);
    },
  };
}

function openState(): State {
  return {
    underWay: 0,
    tickAtMs: Number.POSITIVE_INFINITY,
    cameSinceTick: 0,
    window: { sinceMs: Number.NEGATIVE_INFINITY, answered: 0, tookMs: 0, turnedAway: 0, wasIdle: true },
    slowWindows: 0,
    wasTurningAway: false,
    perSecond: 0,
    busyPerSecond: null,
  };
}

/** The number of requests that may be under way at once, by the last windows. */
function countPlaces(state: State, settings: PressureSettings, isCrowded: () => boolean): number {
  const { busyPerSecond, perSecond, slowWindows } = state;
  if (busyPerSecond !== null && isCrowded()) {
    return Math.max(WRITES_BESIDE_A_CROWD, (busyPerSecond * settings.answerMs) / 1_000);
  }
  const doneInTime = (perSecond * settings.answerMs) / 1_000;
  const atLeast = slowWindows >= SLOW_WINDOWS ? settings.leastAtOnce : settings.mostAtOnce;
  return Math.max(atLeast, doneInTime);
}

function closeWindow(state: State, settings: PressureSettings, nowMs: number): void {
  const { window } = state;
  state.wasTurningAway = window.turnedAway > 0;
  const rate = (window.answered * 1_000) / (nowMs - window.sinceMs);
  state.perSecond = (state.perSecond + rate) / 2;
  state.busyPerSecond = window.wasIdle ? null : ((state.busyPerSecond ?? rate) + rate) / 2;
  // A window without an answer says nothing about how long answers take.
  if (window.answered > 0) {
    const isSlow = window.tookMs / window.answered > settings.answerMs;
    // Answers are faster because others are turned away: letting those in would make them slow again.
    const isHeld = state.slowWindows >= SLOW_WINDOWS && window.turnedAway > 0;
    state.slowWindows = isSlow || isHeld ? state.slowWindows + 1 : 0;
  }
  state.window = { sinceMs: nowMs, answered: 0, tookMs: 0, turnedAway: 0, wasIdle: state.underWay === 0 };
}
