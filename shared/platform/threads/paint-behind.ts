import { createSemaphore } from "../concurrency/semaphore.ts";
import { isOverrun, openPool, runBounded, type ThreadsOptions } from "./pool.ts";
import type { PaintTask, Pictures } from "./tasks.ts";

// Pictures are drawn in milliseconds: they do not wait until the statistics of a large file are there.
const THREADS = 1;
// A tenth of the time that others want as well. At the lowest priority a busy machine leaves a thread a hundredth of a
// core: what takes 30 ms alone takes seconds, and a worker that is told to stop waits for it.
const NICENESS = 10;
// What a machine that is busy with much else may take for the start of the thread, and for one picture.
const LIMITS = { timeoutMs: 50_000, startMs: 75_000 };

/** Pictures that no request waits for. */
export interface PaintingBehind {
  /** As `paint`, while nothing else needs the processor. */
  paintBehind(task: PaintTask): Promise<Pictures | null>;
}

/** Opens the painting behind answers; one picture is drawn at a time. */
export function openPaintingBehind(options: ThreadsOptions): PaintingBehind & { close(): Promise<void> } {
  const pool = openPool(options, { name: "pictures", most: THREADS, niceness: NICENESS });
  const inOrder = createSemaphore(THREADS);
  return {
    async paintBehind(task) {
      const sent = { name: "paintArtwork", task } as const;
      const paint = () => runBounded<Pictures>(pool, sent, LIMITS.timeoutMs, LIMITS.startMs);
      const pictures = await inOrder(paint);
      return isOverrun(pictures) ? null : pictures;
    },
    close: () => pool.close(),
  };
}
