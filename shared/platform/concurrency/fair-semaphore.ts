import { tooMuchToDo } from "../../ground/errors.ts";
import { type Requester, waitWithoutPlace } from "./places.ts";

/** Runs a limited number of works at once, and of each key; the others wait for a bounded time, fairly. */
export type FairSemaphore = <Result>(
  requester: Requester,
  work: () => Promise<Result>,
  isPatient?: boolean,
) => Promise<Result>;

/** How works take turns. */
export interface FairSemaphoreOptions {
  /** Works at once. */
  most: number;
  /** Works at once of one key. */
  mostOfKey: number;
  /** The longest wait for a turn; a work that would wait longer is refused at once, with Retry-After. */
  mostWaitMs: number;
  /** A monotonic clock. */
  now?: () => number;
}

interface Turn {
  key: string;
  begin(): void;
}

/** The works of one key: how many run, and the number of the turn that began last; 0 before the first. */
interface KeyState {
  running: number;
  lastTurn: number;
}

/** The state of one semaphore. */
interface State extends Required<FairSemaphoreOptions> {
  waiting: Turn[];
  /** A key without works, running or waiting, takes no memory. */
  keys: Map<string, KeyState>;
  free: number;
  turns: number;
  /** The mean time of the last works, from 0 on whenever nothing ran. */
  workMs: number;
}

/**
 * Makes a fair semaphore. The next turn goes to the key with the fewest works at once, and among those to the one whose
 * last turn is longest ago: a key with many works delays another one by a work, not by all of them. A patient work waits
 * as long as it takes.
 */
export function createFairSemaphore(options: FairSemaphoreOptions): FairSemaphore {
  const { most, now = () => performance.now() } = options;
  const state: State = { ...options, now, waiting: [], keys: new Map(), free: most, turns: 0, workMs: 0 };
  return async (requester, work, isPatient = requester.signal === undefined) => {
    await waitForTurn(state, requester, isPatient);
    const sinceMs = now();
    try {
      return await work();
    } finally {
      countWork(state, now() - sinceMs);
      endTurn(state, requester.key);
    }
  };
}

/** Runs a limited number of works at once; the others wait in order. */
export type Semaphore = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Makes a semaphore that lets `most` works run at once: those of one key, which wait as long as it takes. */
export function createSemaphore(most: number): Semaphore {
  const inTurn = createFairSemaphore({ most, mostOfKey: most, mostWaitMs: Number.POSITIVE_INFINITY });
  return (work) => inTurn({ key: "" }, work);
}

async function waitForTurn(state: State, { key, signal }: Requester, isPatient: boolean): Promise<void> {
  if (signal?.aborted) throw tooMuchToDo(RETRY_AFTER_LEAST_SECONDS);
  const waitMs = estimateWaitMs(state, key);
  if (!isPatient && waitMs > state.mostWaitMs) throw refuse(waitMs);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const turn: Turn = { key, begin: resolve };
  const leave = () => {
    state.waiting = state.waiting.filter((one) => one !== turn);
    forgetIdle(state, key);
    reject(refuse(estimateWaitMs(state, key)));
  };
  state.waiting.push(turn);
  if (!state.keys.has(key)) state.keys.set(key, { running: 0, lastTurn: 0 });
  beginNext(state);
  const timer = isPatient ? undefined : setTimeout(leave, state.mostWaitMs);
  signal?.addEventListener("abort", leave, { once: true });
  try {
    await waitWithoutPlace(() => promise);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", leave);
  }
}

const RETRY_AFTER_LEAST_SECONDS = 2;
const RETRY_AFTER_MOST_SECONDS = 60;

function refuse(waitMs: number): Error {
  const seconds = Math.ceil(waitMs / 1_000);
  return tooMuchToDo(Math.min(Math.max(seconds, RETRY_AFTER_LEAST_SECONDS), RETRY_AFTER_MOST_SECONDS));
}

/** How long a new work of a key would wait, if works went on taking as long as the last ones. */
function estimateWaitMs({ waiting, keys, free, workMs, most, mostOfKey }: State, key: string): number {
  const waitingOf = new Map<string, number>();
  for (const turn of waiting) waitingOf.set(turn.key, (waitingOf.get(turn.key) ?? 0) + 1);
  const own = waitingOf.get(key) ?? 0;
  // Keys take turns: of every other key no more works come first than this one will have waiting.
  let ahead = own;
  for (const [other, count] of waitingOf) if (other !== key) ahead += Math.min(count, own + 1);
  if (free > 0 && ahead === 0 && (keys.get(key)?.running ?? 0) < mostOfKey) return 0;
  const rounds = Math.max((ahead + 1) / most, (own + 1) / mostOfKey);
  return rounds * workMs;
}

/** Begins every waiting work that may begin now. */
function beginNext(state: State): void {
  while (state.free > 0) {
    const next = findNext(state);
    if (next === null) return;
    const { turn, ofKey } = next;
    state.waiting.splice(state.waiting.indexOf(turn), 1);
    state.free--;
    ofKey.running++;
    ofKey.lastTurn = ++state.turns;
    turn.begin();
  }
}

function findNext({ waiting, keys, mostOfKey }: State): { turn: Turn; ofKey: KeyState } | null {
  let next: { turn: Turn; ofKey: KeyState } | null = null;
  for (const turn of waiting) {
    const ofKey = keys.get(turn.key);
    if (ofKey === undefined || ofKey.running >= mostOfKey) continue;
    if (next === null || isBefore(ofKey, next.ofKey)) next = { turn, ofKey };
  }
  return next;
}

function isBefore(one: KeyState, other: KeyState): boolean {
  return one.running === other.running ? one.lastTurn < other.lastTurn : one.running < other.running;
}

function endTurn(state: State, key: string): void {
  const ofKey = state.keys.get(key);
  if (ofKey !== undefined) ofKey.running--;
  state.free++;
  forgetIdle(state, key);
  beginNext(state);
  // The next crowd may ask for less: what was slow an hour ago refuses nobody.
  if (state.free === state.most) state.workMs = 0;
}

function forgetIdle({ keys, waiting }: State, key: string): void {
  if (keys.get(key)?.running === 0 && !waiting.some((turn) => turn.key === key)) keys.delete(key);
}

const WEIGHT_OF_LAST = 1 / 4;

function countWork(state: State, tookMs: number): void {
  state.workMs += WEIGHT_OF_LAST * (tookMs - state.workMs);
}
