import { type BurstQueue, openBurstQueue, type QueuedRequest, type QueueSettings } from "./burst-queue.ts";

/** The limits at which requests wait and a process begins to turn them away; times in milliseconds. */
export interface PressureSettings extends QueueSettings {
  /** Most requests at once while answers are fast. */
  mostAtOnce: number;
  /** Requests that may always run at once, however slow answers are. */
  leastAtOnce: number;
  /**
   * The mean time that answers may take. While they take longer, the process begins only as many requests as
   * it completes in this time.
   */
  answerMs: number;
  /** The longest wait for the event loop during overload, when more than `crowd` requests came since its last tick. */
  waitMs: number;
  crowd: number;
}

// Tried with `npm run bench -- overload`: three times the load that a process can serve, and bursts of 10 to 500 requests
// at once, on two cores.
const DEFAULTS: PressureSettings = {
  // Some requests wait for others and work little: so many do not hold up the rest. With 96, those under way when a
  // flood began took the last of them over a second, at 150 answers a second.
  mostAtOnce: 64,
  // The bench measures what a process can serve with 32 connections: fewer would leave it idle between answers.
  leastAtOnce: 32,
  // Behind it wait the event loop and the database's own queue.
  answerMs: 200,
  // Agents and their tools send their requests together; two seconds are what a caller waits for anyway.
  burstMs: 2_000,
  // With `answerMs` and the event loop's wait p99 stays under 0.4 s, on two cores that others use too.
  overloadMs: 150,
  waitMs: 150,
  // More than `mostAtOnce`, so that a burst of that size into an idle process passes whole.
  crowd: 128,
};
/**
 * Writes admitted at once while reads are turned away: half a second's worth of an agent that makes 10 a
 * second.
 */
const WRITES_BESIDE_A_CROWD = 5;

/** A write during overload takes half a second once it has begun, and waits for its agent's other writes besides. */
const WRITES_OVERLOAD_MS = 100;

/**
 * Eight windows a second, of some six ticks each, so that the pace is known before a flood is a second old.
 */
const WINDOW_MS = 125;
/** One slow window may be one collection of garbage: two in a row are overload. */
const SLOW_WINDOWS = 2;

/** The load of a process, measured over the last second. All times come from one monotonic clock. */
export interface Pressure {
  /** Whether a new request would be answered in time. Call it once for each that arrives. */
  mayCome(nowMs: number): boolean;
  /** Whether a new request would be answered in time and may begin now. Call it once for each that arrives. */
  mayBegin(nowMs: number): boolean;
  /** Begins a request for which `mayBegin` was true. */
  begin(): void;
  /** Begins a request and returns true where nobody waits and there is a place. */
  beginAtOnce(): boolean;
  /** Begins a request when it is its turn, or turns it away. */
  wait(request: QueuedRequest, nowMs: number): void;
  end(tookMs: number, nowMs: number): void;
  /** Whether more comes than is done in time. */
  isOverloaded(): boolean;
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
  const writes = openPressure(
    { overloadMs: WRITES_OVERLOAD_MS, ...given },
    () => reads.isOverloaded() || writes.isOverloaded(),
  );
  return { reads, writes };
}

/** The state that requests change as they begin and end. */
interface State {
  queue: BurstQueue;
  isAdmitting: boolean;
  underWay: number;
  /** The time of the last tick; before the first tick nothing is late. */
  tickAtMs: number;
  cameSinceTick: number;
  window: { sinceMs: number; answered: number; tookMs: number; isHeld: boolean; wasIdle: boolean };
  slowWindows: number;
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
 * other, so while `isCrowded` the process begins only as many as it completes in time.
 */
export function openPressure(
  given: Partial<PressureSettings> = {},
  isCrowded: () => boolean = () => false,
): Pressure {
  const settings = { ...DEFAULTS, ...given };
  const state = openState(settings);
  const hasPlace = () => state.underWay < countPlaces(state, settings, isCrowded);
  const isFree = () => state.queue.isEmpty() && hasPlace();
  const mayCome = (nowMs: number) => {
    state.cameSinceTick++;
    return !isLoopLate(state, settings, nowMs) && state.queue.mayJoin(nowMs, state.underWay);
  };
  return {
    mayCome,
    mayBegin: (nowMs) => mayCome(nowMs) && isFree(),
    begin() {
      state.underWay++;
    },
    beginAtOnce() {
      const begins = isFree();
      if (begins) state.underWay++;
      return begins;
    },
    wait(request, nowMs) {
      state.queue.join(request, nowMs);
      admit(state, hasPlace, nowMs);
    },
    end(tookMs, nowMs) {
      noteEnd(state, tookMs);
      admit(state, hasPlace, nowMs);
    },
    isOverloaded: () => state.queue.isOverloaded(),
    tick(nowMs) {
      state.tickAtMs = nowMs;
      state.cameSinceTick = 0;
      state.queue.tick(nowMs, state.underWay, state.underWay < settings.leastAtOnce);
      if (nowMs - state.window.sinceMs >= WINDOW_MS) closeWindow(state, settings, nowMs);
      admit(state, hasPlace, nowMs);
    },
  };
}

/** Whether a request at the end of a crowd has waited too long for the event loop; where so, that is overload. */
function isLoopLate(state: State, settings: PressureSettings, nowMs: number): boolean {
  const mostMs = state.queue.isOverloaded() ? settings.waitMs : settings.burstMs;
  const isLate = state.cameSinceTick > settings.crowd && nowMs - state.tickAtMs > mostMs;
  if (isLate) state.queue.noteOverload(nowMs);
  return isLate;
}

/** Begins queued requests as far as there are places. One that ends at once comes back here, into the same loop. */
function admit(state: State, hasPlace: () => boolean, nowMs: number): void {
  if (!state.queue.isEmpty()) state.window.isHeld = true;
  if (state.isAdmitting) return;
  state.isAdmitting = true;
  while (!state.queue.isEmpty() && hasPlace()) {
    const next = state.queue.next(nowMs);
    if (next === null) break;
    state.underWay++;
    next.begin();
  }
  state.isAdmitting = false;
}

function noteEnd(state: State, tookMs: number): void {
  state.underWay--;
  if (state.underWay === 0) state.window.wasIdle = true;
  state.window.answered++;
  state.window.tookMs += tookMs;
  state.queue.noteAnswer();
}

function openState(settings: PressureSettings): State {
  return {
    queue: openBurstQueue(settings),
    isAdmitting: false,
    underWay: 0,
    tickAtMs: Number.POSITIVE_INFINITY,
    cameSinceTick: 0,
    window: { sinceMs: Number.NEGATIVE_INFINITY, answered: 0, tookMs: 0, isHeld: false, wasIdle: true },
    slowWindows: 0,
    perSecond: 0,
    busyPerSecond: null,
  };
}

/** The number of requests that may be under way at once, by the last windows. */
function countPlaces(state: State, settings: PressureSettings, isCrowded: () => boolean): number {
  const { busyPerSecond, perSecond, slowWindows, queue } = state;
  if (busyPerSecond !== null && isCrowded()) {
    return Math.max(WRITES_BESIDE_A_CROWD, (busyPerSecond * settings.answerMs) / 1_000);
  }
  const doneInTime = (perSecond * settings.answerMs) / 1_000;
  const isSlow = slowWindows >= SLOW_WINDOWS || queue.isOverloaded();
  const atLeast = isSlow ? settings.leastAtOnce : settings.mostAtOnce;
  return Math.max(atLeast, doneInTime);
}

function closeWindow(state: State, settings: PressureSettings, nowMs: number): void {
  const { window } = state;
  const rate = (window.answered * 1_000) / (nowMs - window.sinceMs);
  state.perSecond = (state.perSecond + rate) / 2;
  state.busyPerSecond = window.wasIdle ? null : ((state.busyPerSecond ?? rate) + rate) / 2;
  // A window without an answer says nothing about how long answers take.
  if (window.answered > 0) {
    const isSlow = window.tookMs / window.answered > settings.answerMs;
    // Answers are faster because others wait: letting those in would make them slow again.
    const isHeld = state.slowWindows >= SLOW_WINDOWS && window.isHeld;
    state.slowWindows = isSlow || isHeld ? state.slowWindows + 1 : 0;
  }
  state.window = { sinceMs: nowMs, answered: 0, tookMs: 0, isHeld: false, wasIdle: state.underWay === 0 };
}
