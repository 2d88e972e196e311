import type { Drawable } from "../../text/drawing/draw-block.ts";
import { createFairSemaphore, type FairSemaphore } from "../concurrency/fair-semaphore.ts";
import { currentRequester, waitWithoutPlace } from "../concurrency/places.ts";
import { openRun, orNull, type TaskPool } from "./pool.ts";
import type { ChartFileTask, PaintTask } from "./tasks.ts";

/** An SVG document, or a PNG. */
type Picture = string | Uint8Array;

/** Drawings that somebody waits for, by turns of those who ask; who ask for the same one share it. */
export interface Drawing {
  /** The figure of a block, of which `tell` is told once; null for one that cannot be drawn within its time and memory. */
  draw(block: Drawable, tell?: (figure: string | null) => void): Promise<string | null>;
  /** The picture of an artwork, of which `tell` is told once; null over its time or memory. */
  paint(task: PaintTask, tell?: (picture: Picture | null) => void): Promise<Picture | null>;
  /** The file of a chart; null over its time or memory, or for a block that is not read any more. */
  drawChartFile(task: ChartFileTask, tell?: (file: Picture | null) => void): Promise<Picture | null>;
}

// A save counts the work, so this ends only what nobody foresaw. It is long because such a block stays undrawn.
const DRAW_TIMEOUT_MS = 30_000;
const PAINT_TIMEOUT_MS = 5_000;
const MOST_WAIT_MS = 10_000;

/** Opens the drawings, of which so many are drawn at once. */
export function openDrawing(pool: TaskPool, most: number, drawTimeoutMs = DRAW_TIMEOUT_MS): Drawing {
  const runDraw = openRun(pool, drawTimeoutMs);
  const runPaint = openRun(pool, PAINT_TIMEOUT_MS);
  const inTurn = createFairSemaphore({ most, mostOfKey: most, mostWaitMs: MOST_WAIT_MS });
  const share = {
    figures: openSharing<string>(inTurn),
    pictures: openSharing<Picture>(inTurn),
  };
  return {
    draw: (block, tell) => share.figures(block, () => orNull(runDraw("drawInThread", () => block)), tell),
    paint: (task, tell) => share.pictures(task, () => orNull(runPaint("paintArtwork", () => task)), tell),
    drawChartFile: (task, tell) =>
      share.pictures(task, () => orNull(runPaint("drawFileOfChart", () => task)), tell),
  };
}

/** A drawing for all who wait for it; null before its first turn. */
interface Shared<Drawn> {
  waiting: number;
  drawing: Promise<Drawn | null> | null;
}

/** Draws in the first turn of any who wait for the same: neither the crowd nor the leaving of one holds up the others. */
function openSharing<Drawn>(inTurn: FairSemaphore) {
  const awaited = new Map<string, Shared<Drawn>>();
  return async (task: object, draw: () => Promise<Drawn | null>, tell?: (drawn: Drawn | null) => void) => {
    const name = JSON.stringify(task);
    const shared = awaited.get(name) ?? { waiting: 0, drawing: null };
    awaited.set(name, shared);
    shared.waiting++;
    const drawAndTell = async () => {
      const drawn = await draw();
      tell?.(drawn);
      return drawn;
    };
    const drawOnce = () => {
      shared.drawing ??= drawAndTell();
      return shared.drawing;
    };
    try {
      return await waitWithoutPlace(() => inTurn(currentRequester(), drawOnce));
    } finally {
      if (--shared.waiting === 0) awaited.delete(name);
    }
  };
}
