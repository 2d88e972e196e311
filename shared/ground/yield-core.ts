/** How long a thread works between two moments in which others may take its core. */
const WORK_MS = 0.5;
// As short as it gets: Linux lets a thread oversleep by some 50 microseconds.
const MOMENT_MS = 0.01;
/** Where one page follows the other, a thread still works a tenth of a millisecond of each two. */
const MOST_FOR_PAGES_MS = 2;
const LEAST_WORK_MS = 0.1;
/** So many steps take less than a tenth of a millisecond mostly, and the clock is read rarely. */
const STEPS_A_LOOK = 512;

/** To whom a thread yields its core. */
interface Yielding {
  /** One number in shared memory: how many pages the process reads at the moment. */
  pages: Int32Array;
  /** When the task of the thread began (`SentTask`): time that it gives away does not count. */
  begun: BigInt64Array;
}

let yielding: Yielding | null = null;
let workedSinceMs = 0;
const nothing = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/**
 * Has this thread yield its core in the loops of its next tasks: for a moment every half millisecond, and while a page is
 * read. Linux takes a core from a running thread at its ticks alone, up to 4 ms apart, whatever the priority: so long
 * would a page wait for a thread that is to give way to it. Null ends that.
 */
export function yieldTo(others: Yielding | null): void {
  yielding = others;
}

/**
 * Yields the core when it is time, at a step of a long loop; gives the step at which the loop is to call it again. A call
 * at each step would take a tenth of the loop's time.
 */
export function yieldAt(step: number): number {
  if (yielding !== null) yieldWhenDue(yielding);
  return step + STEPS_A_LOOK;
}

function yieldWhenDue({ pages, begun }: Yielding): void {
  const nowMs = performance.now();
  const workedMs = nowMs - workedSinceMs;
  const underWay = Atomics.load(pages, 0);
  if (underWay > 0 && workedMs >= LEAST_WORK_MS) Atomics.wait(pages, 0, underWay, MOST_FOR_PAGES_MS);
  else if (workedMs >= WORK_MS) Atomics.wait(nothing, 0, 0, MOMENT_MS);
  else return;
  workedSinceMs = performance.now();
  Atomics.add(begun, 0, BigInt(Math.round(1e6 * (workedSinceMs - nowMs))));
}
