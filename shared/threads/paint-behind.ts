import { createSemaphore } from "../concurrency/semaphore.ts";
import { type Background, PAINTING_THREADS } from "./background.ts";
import { isOverrun, runBounded } from "./pool.ts";
import type { PaintTask, Pictures } from "./tasks.ts";

// A busy machine leaves a thread of low priority a hundredth of a core: what takes 30 ms alone takes seconds, and the
// start of the thread half a minute. The job of both pictures of a work may take three minutes.
const LIMITS = { timeoutMs: 50_000, startMs: 75_000 };

/** Pictures that no request waits for. */
export interface PaintingBehind {
  /** As `paint`, while nothing else needs the processor. */
  paintBehind(task: PaintTask): Promise<Pictures | null>;
}

/** Opens the painting behind answers; one picture is drawn at a time. */
export function openPaintingBehind({ pool }: Background): PaintingBehind {
  const inOrder = createSemaphore(PAINTING_THREADS);
  return {
    async paintBehind(task) {
      const sent = { name: "paintArtwork", task } as const;
      const paint = () => runBounded<Pictures>(pool, sent, LIMITS.timeoutMs, LIMITS.startMs);
      const pictures = await inOrder(paint);
      return isOverrun(pictures) ? null : pictures;
    },
  };
}
