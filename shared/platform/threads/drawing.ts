import type { Drawable } from "../../text/drawing/draw-block.ts";
import { createFairSemaphore } from "../concurrency/fair-semaphore.ts";
import { currentRequester, waitWithoutPlace } from "../concurrency/places.ts";
import { openRun, orNull, type TaskPool } from "./pool.ts";
import type { ChartFileTask, PaintTask } from "./tasks.ts";

// A save counts the work, so this ends only what nobody foresaw. It is long because such a block stays undrawn.
const DRAW_TIMEOUT_MS = 30_000;
const PAINT_TIMEOUT_MS = 5_000;
const MOST_WAIT_MS = 10_000;

/**
 * Opens the drawings that somebody waits for, by turns of those who ask: so many are drawn at once. What has begun is
 * drawn to its end, whoever leaves.
 */
export function openDrawing(pool: TaskPool, most: number, drawTimeoutMs = DRAW_TIMEOUT_MS) {
  const runDraw = openRun(pool, drawTimeoutMs);
  const runPaint = openRun(pool, PAINT_TIMEOUT_MS);
  const inTurn = createFairSemaphore({ most, mostOfKey: most, mostWaitMs: MOST_WAIT_MS });
  const drawInTurn = <Drawn>(draw: () => Promise<Drawn>) =>
    waitWithoutPlace(() => inTurn(currentRequester(), () => orNull(draw())));
  return {
    /** The figure of a block; null for one that cannot be drawn within its time and memory. */
    draw: (block: Drawable) => drawInTurn(() => runDraw("drawInThread", () => block)),
    /** The picture of an artwork, an SVG document or a PNG; null over its time or memory. */
    paint: (task: PaintTask) => drawInTurn(() => runPaint("paintArtwork", () => task)),
    /** The file of a chart; null over its time or memory, or for a block that is not read any more. */
    drawChartFile: (task: ChartFileTask) => drawInTurn(() => runPaint("drawFileOfChart", () => task)),
  };
}
