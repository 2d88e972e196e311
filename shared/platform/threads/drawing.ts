import type { Drawable } from "../../text/drawing/draw-block.ts";
import { createFairFlight } from "../concurrency/fair-flight.ts";
import { createFairSemaphore, type Requester } from "../concurrency/fair-semaphore.ts";
import { createSemaphore } from "../concurrency/semaphore.ts";
import { openRun, orNull, type TaskPool } from "./pool.ts";
import type { ChartFileTask, PaintTask, Pictures } from "./tasks.ts";

/** Drawings that somebody waits for. Who wait for the same one share it, each in its own turn. */
export interface Drawing {
  /** The figure of a block; null for one that cannot be drawn within its time and memory. */
  draw(block: Drawable, asked?: AskedDrawing<string>): Promise<string | null>;
  /** An artwork's pictures; null on a timeout. */
  paint(task: PaintTask, requester: Requester): Promise<Pictures | null>;
  /** The file of a chart; null over its time or memory, or for a block that is not read any more. */
  drawChartFile(
    task: ChartFileTask,
    asked?: AskedDrawing<string | Uint8Array>,
  ): Promise<string | Uint8Array | null>;
}

/** Who waits for a drawing, and what is called once for all who do. */
interface AskedDrawing<Drawn> {
  /** Left out where no request waits. */
  requester?: Requester | undefined;
  tell?(drawn: Drawn | null): void;
}

// A save counts the work, so this ends only what nobody foresaw. It is long because such a block stays undrawn.
const DRAW_TIMEOUT_MS = 30_000;
const PAINT_TIMEOUT_MS = 5_000;
const MOST_WAIT_MS = 10_000;

/** Opens the drawings, of which so many are drawn at once. */
export function openDrawing(pool: TaskPool, most: number, drawTimeoutMs = DRAW_TIMEOUT_MS): Drawing {
  const inTurn = createFairSemaphore({ most, mostOfKey: most, mostWaitMs: MOST_WAIT_MS });
  const inOrder = createSemaphore(most);
  const runDraw = openRun(pool, { inOrder, timeoutMs: drawTimeoutMs });
  const runPaint = openRun(pool, { inOrder, timeoutMs: PAINT_TIMEOUT_MS });
  const drawOnce = createFairFlight<string | null>(inTurn);
  const paintOnce = createFairFlight<Pictures | null>(inTurn);
  const drawFileOnce = createFairFlight<string | Uint8Array | null>(inTurn);
  return {
    draw: (block, { requester = null, tell } = {}) =>
      drawOnce(requester, JSON.stringify(block), () =>
        tellOf(orNull(runDraw("drawInThread", () => block)), tell),
      ),
    paint: (task, requester) =>
      paintOnce(requester, JSON.stringify(task), () => orNull(runPaint("paintArtwork", () => task))),
    drawChartFile: (task, { requester = null, tell } = {}) =>
      drawFileOnce(requester, JSON.stringify(task), () =>
        tellOf(orNull(runPaint("drawFileOfChart", () => task)), tell),
      ),
  };
}

async function tellOf<Drawn>(work: Promise<Drawn>, tell?: (drawn: Drawn) => void): Promise<Drawn> {
  const drawn = await work;
  tell?.(drawn);
  return drawn;
}
