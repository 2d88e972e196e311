import { measureText } from "../drawing/text-width.ts";
import { CHART_SIZES } from "./frame.ts";

/** A level label under an axis: centred lines at x. */
export interface LevelLabel {
  x: number;
  lines: string[];
}

const CLEAR = 10;

/**
 * Moves labels that would leave the frame inwards; `clear` is whether all then stand clear of each other.
 * Labels are expected from left to right.
 */
export function settleLevelLabels(
  labels: readonly LevelLabel[],
  widthPx: number,
): { labels: LevelLabel[]; clear: boolean } {
  let end = Number.NEGATIVE_INFINITY;
  let clear = true;
  const settled = labels.map(({ x, lines }) => {
    const half = Math.max(...lines.map((line) => measureText(line, CHART_SIZES.text))) / 2;
    const inside = Math.min(Math.max(x, half + CHART_SIZES.edge), widthPx - CHART_SIZES.edge - half);
    if (inside - half < end + CLEAR) clear = false;
    end = inside + half;
    return { x: inside, lines };
  });
  return { labels: settled, clear };
}

/** The distance between labels, as a number that readers count on with: 2, 5, 10, 20, 25, 50 and so on. */
export function roundStep(least: number): number {
  const power = 10 ** Math.max(0, Math.ceil(Math.log10(least)) - 1);
  const steps = power === 1 ? [1, 2, 3, 4, 5, 10] : [1, 2, 2.5, 5, 10];
  return power * (steps.find((step) => step * power >= least) ?? 10);
}

/** Every `step`-th item, with the smallest round step whose labels stand clear, counted from the first item. */
export function thinLevelLabels<Item>(
  items: readonly Item[],
  widthPx: number,
  label: (kept: Item[]) => LevelLabel[],
): { labels: LevelLabel[]; step: number } {
  for (let step = 1; step < items.length; step = roundStep(step + 1)) {
    const kept = items.filter((_, index) => index % step === 0);
    const settled = settleLevelLabels(label(kept), widthPx);
    if (settled.clear) return { labels: settled.labels, step };
  }
  return { labels: settleLevelLabels(label(items.slice(0, 1)), widthPx).labels, step: items.length };
}
