import type { Drawable } from "../../text/drawing/draw-block.ts";
import { createSemaphore } from "../concurrency/semaphore.ts";
import { createSingleFlight } from "../concurrency/single-flight.ts";
import { openRun, orNull, type TaskPool } from "./pool.ts";
import type { ChartFileTask, PaintTask, Pictures } from "./tasks.ts";

/** Drawings that somebody waits for. */
export interface Drawing {
  /** The figure of a block; null for one that cannot be drawn within its time and memory. */
  draw(block: Drawable): Promise<string | null>;
  /** An artwork's pictures; null on a timeout. Concurrent requests for one artwork share one drawing. */
  paint(task: PaintTask): Promise<Pictures | null>;
  /**
   * The file of a chart; null over its time or memory, or for a block that is not read any more. Concurrent requests
   * for one file share one drawing, and `tell` is called once for all of them.
   */
  drawChartFile(
    task: ChartFileTask,
    tell?: (file: string | Uint8Array | null) => void,
  ): Promise<string | Uint8Array | null>;
}

// A save counts the work, so this ends only what nobody foresaw. It is long because such a block stays undrawn.
const DRAW_TIMEOUT_MS = 30_000;
const PAINT_TIMEOUT_MS = 5_000;

/** Opens the drawings, of which so many are drawn at once. */
export function openDrawing(pool: TaskPool, most: number, drawTimeoutMs = DRAW_TIMEOUT_MS): Drawing {
  const inOrder = createSemaphore(most);
  const runDraw = openRun(pool, { inOrder, timeoutMs: drawTimeoutMs });
  const runPaint = openRun(pool, { inOrder, timeoutMs: PAINT_TIMEOUT_MS });
  const paintOnce = createSingleFlight<Pictures | null>();
  const drawFileOnce = createSingleFlight<string | Uint8Array | null>();
  return {
    draw: (block) => orNull(runDraw("drawInThread", () => block)),
    paint: (task) => paintOnce(JSON.stringify(task), () => orNull(runPaint("paintArtwork", () => task))),
    drawChartFile: (task, tell) =>
      drawFileOnce(JSON.stringify(task), async () => {
        const file = await orNull(runPaint("drawFileOfChart", () => task));
        tell?.(file);
        return file;
      }),
  };
}
