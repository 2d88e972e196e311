/** A request that waits until it may begin. */
export interface QueuedRequest {
  begin(): void;
  turnAway(): void;
  /** Whether its caller is gone. */
  hasLeft(): boolean;
}

/** How long requests may wait, in milliseconds. */
export interface QueueSettings {
  /** The longest that a request of a burst waits; more work than is done in this time is overload. */
  burstMs: number;
  /** The longest that a request waits during overload. */
  overloadMs: number;
}

/**
 * Requests that wait for a place. What is done within two seconds is a burst, and all of it waits. More is overload:
 * then a request waits shortly or is turned away, so that whatever is answered is answered soon.
 */
export interface BurstQueue {
  isEmpty(): boolean;
  /** Whether a new request would be answered in time behind the queue and so many requests under way. */
  mayJoin(nowMs: number, underWay: number): boolean;
  join(request: QueuedRequest, nowMs: number): void;
  /** Takes the first request that may still begin out of the queue. */
  next(nowMs: number): QueuedRequest | null;
  noteAnswer(): void;
  /** Begins overload, for which there are signs outside the queue too. */
  noteOverload(nowMs: number): void;
  isOverloaded(): boolean;
  /** Called often: measures the pace, turns away what waited too long, and begins and ends overload. */
  tick(nowMs: number, underWay: number, isCalm: boolean): void;
}

/** Before this time nothing is known of the pace, and nothing is turned away because of it. */
const MEASURED_AFTER_MS = 250;
/** The pace is that of about the last two seconds in which requests waited. */
const MEMORY_MS = 2_000;
/** A queue that grew for so long, and to which more came than is done in two seconds, is no burst but a flood. */
const FLOOD_AFTER_MS = 500;
/** Whether it grows is looked at so often: in shorter times few requests come. */
const GROWTH_MS = 100;
/** Overload lasts until nothing was turned away for so long, because a flood has pauses. */
const CALM_MS = 1_000;

interface Waiting {
  request: QueuedRequest;
  sinceMs: number;
}

interface State {
  waiting: Set<Waiting>;
  isOverloaded: boolean;
  /** The time of the last tick, of the first request since the queue was empty, of the last that was turned away. */
  nowMs: number;
  filledAtMs: number;
  turnedAwayAtMs: number;
  /** Answers in so much time, older ones counting for less; both begin at zero when the queue fills. */
  pace: { answers: number; ms: number };
  growth: Growth;
}

/** Since when every look at the queue found it longer than the one before, and how many were answered since. */
interface Growth {
  sinceMs: number;
  answers: number;
  seenAtMs: number;
  seen: number;
}

/** Opens an empty queue. */
export function openBurstQueue(settings: QueueSettings): BurstQueue {
  const none = Number.NEGATIVE_INFINITY;
  const state: State = {
    waiting: new Set(),
    isOverloaded: false,
    nowMs: none,
    filledAtMs: none,
    turnedAwayAtMs: none,
    pace: { answers: 0, ms: 0 },
    growth: beginGrowth(none),
  };
  return {
    isEmpty: () => state.waiting.size === 0,
    mayJoin: (nowMs, underWay) => mayJoin(settings, state, nowMs, underWay),
    join(request, nowMs) {
      if (state.waiting.size === 0) beginQueue(state, nowMs);
      state.waiting.add({ request, sinceMs: nowMs });
    },
    next: (nowMs) => takeNext(settings, state, nowMs),
    noteAnswer() {
      state.pace.answers++;
      state.growth.answers++;
    },
    noteOverload(nowMs) {
      state.isOverloaded = true;
      state.turnedAwayAtMs = nowMs;
    },
    isOverloaded: () => state.isOverloaded,
    tick(nowMs, underWay, isCalm) {
      measurePace(state, nowMs);
      measureGrowth(state, nowMs);
      if (state.waiting.size > 0) turnAwayLate(settings, state, underWay);
      else if (isCalm && nowMs - state.turnedAwayAtMs > CALM_MS) state.isOverloaded = false;
    },
  };
}

function beginQueue(state: State, nowMs: number): void {
  state.filledAtMs = nowMs;
  state.pace = { answers: 0, ms: 0 };
  state.growth = beginGrowth(nowMs);
}

function beginGrowth(nowMs: number, seen = 0): Growth {
  return { sinceMs: nowMs, answers: 0, seenAtMs: nowMs, seen };
}

function mayJoin(settings: QueueSettings, state: State, nowMs: number, underWay: number): boolean {
  const ahead = state.waiting.size;
  if (ahead === 0) return true;
  // A burst is all there at once; of a flood counts too what it brought and was answered.
  const isFlood = nowMs - state.growth.sinceMs > FLOOD_AFTER_MS;
  const came = ahead + underWay + (isFlood ? state.growth.answers : 0);
  if (!state.isOverloaded && estimateMs(state, came, underWay) > settings.burstMs) state.isOverloaded = true;
  const mayJoin = !state.isOverloaded || estimateMs(state, ahead, underWay) <= settings.overloadMs;
  if (!mayJoin) state.turnedAwayAtMs = nowMs;
  return mayJoin;
}

/**
 * The time in which so many requests are answered; 0 while the pace is unknown. Requests under way count as half done:
 * those that take turns all end late, and would look like none at all.
 */
function estimateMs({ pace }: State, requests: number, underWay: number): number {
  if (pace.ms < MEASURED_AFTER_MS) return 0;
  return (requests * pace.ms) / Math.max(pace.answers + underWay / 2, 1);
}

function measurePace(state: State, nowMs: number): void {
  const passedMs = Math.max(0, nowMs - Math.max(state.nowMs, state.filledAtMs));
  state.nowMs = nowMs;
  if (state.waiting.size === 0) return;
  const kept = Math.exp(-passedMs / MEMORY_MS);
  state.pace = { answers: state.pace.answers * kept, ms: (state.pace.ms + passedMs) * kept };
}

function measureGrowth(state: State, nowMs: number): void {
  if (nowMs - state.growth.seenAtMs < GROWTH_MS) return;
  const size = state.waiting.size;
  if (size > state.growth.seen) Object.assign(state.growth, { seenAtMs: nowMs, seen: size });
  else state.growth = beginGrowth(nowMs, size);
}

function turnAwayLate(settings: QueueSettings, state: State, underWay: number): void {
  const { nowMs, waiting } = state;
  for (const one of waiting) if (one.request.hasLeft()) waiting.delete(one);
  const newest = [...waiting].at(-1);
  if (newest === undefined) return;
  const tookMs = nowMs - newest.sinceMs + estimateMs(state, waiting.size + underWay, underWay);
  if (tookMs > settings.burstMs || nowMs - state.filledAtMs > settings.burstMs) state.isOverloaded = true;
  for (const one of waiting) {
    if (!isLate(settings, state, one, nowMs)) break;
    turnAway(state, one);
  }
}

function isLate(settings: QueueSettings, state: State, { sinceMs }: Waiting, nowMs: number): boolean {
  return nowMs - sinceMs > (state.isOverloaded ? settings.overloadMs : settings.burstMs);
}

function turnAway(state: State, one: Waiting): void {
  state.waiting.delete(one);
  state.turnedAwayAtMs = state.nowMs;
  one.request.turnAway();
}

function takeNext(settings: QueueSettings, state: State, nowMs: number): QueuedRequest | null {
  for (const one of state.waiting) {
    if (isLate(settings, state, one, nowMs)) {
      turnAway(state, one);
      continue;
    }
    state.waiting.delete(one);
    if (!one.request.hasLeft()) return one.request;
  }
  return null;
}
