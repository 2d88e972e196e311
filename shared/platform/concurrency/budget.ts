import { tooMuchToDo } from "../../ground/errors.ts";
import { waitWithoutPlace } from "./places.ts";

interface BudgetOptions {
  /** The most that all callers hold together. */
  most: number;
  /** The most that one caller holds. A larger single amount counts as this much. */
  mostOfOne: number;
  waitMs: number;
  /** How many may wait; more are refused at once. */
  mostWaiting: number;
}

interface Waiting {
  key: string;
  amount: number;
  begin(release: () => void): void;
}

interface State {
  taken: number;
  takenBy: Map<string, number>;
  waiting: Set<Waiting>;
}

const RETRY_AFTER_SECONDS = 2;

/**
 * Opens a budget of which nothing is taken: a bounded amount that requests hold for a while, such as bytes or open
 * downloads. A caller that holds nothing takes no memory.
 */
export function openBudget(options: BudgetOptions) {
  const state: State = { taken: 0, takenBy: new Map(), waiting: new Set() };
  return {
    /**
     * Takes an amount in a caller's name and resolves to its release, which may be called twice. Where too much is taken
     * it calls `whenFull` and waits, and throws 503 after `waitMs`.
     */
    async take(key: string, asked: number, whenFull?: () => void) {
      const amount = Math.min(asked, options.mostOfOne);
      if (hasRoom(options, state, key, amount)) return hold(options, state, key, amount);
      if (state.waiting.size >= options.mostWaiting) throw tooMuchToDo(RETRY_AFTER_SECONDS);
      return await waitWithoutPlace(() => {
        const turn = wait(options, state, key, amount);
        whenFull?.();
        return turn;
      });
    },
  };
}

function hasRoom(options: BudgetOptions, state: State, key: string, amount: number): boolean {
  const ofOne = (state.takenBy.get(key) ?? 0) + amount;
  return ofOne <= options.mostOfOne && state.taken + amount <= options.most;
}

function hold(options: BudgetOptions, state: State, key: string, amount: number): () => void {
  change(state, key, amount);
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    change(state, key, -amount);
    admitWaiting(options, state);
  };
}

function change(state: State, key: string, amount: number): void {
  const left = (state.takenBy.get(key) ?? 0) + amount;
  state.taken += amount;
  if (left > 0) state.takenBy.set(key, left);
  else state.takenBy.delete(key);
}

/** In the order in which they came; one who must wait longer for its own share holds up nobody else. */
function admitWaiting(options: BudgetOptions, state: State): void {
  for (const one of state.waiting) {
    if (!hasRoom(options, state, one.key, one.amount)) continue;
    state.waiting.delete(one);
    one.begin(hold(options, state, one.key, one.amount));
  }
}

function wait(options: BudgetOptions, state: State, key: string, amount: number): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      state.waiting.delete(one);
      reject(tooMuchToDo(RETRY_AFTER_SECONDS));
    }, options.waitMs);
    const one: Waiting = {
      key,
      amount,
      begin(release) {
        clearTimeout(timer);
        resolve(release);
      },
    };
    state.waiting.add(one);
  });
}
