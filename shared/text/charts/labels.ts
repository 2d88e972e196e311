import { measureText, truncateText, wrapText } from "../drawing/measure-text.ts";
import { AXIS_FONT, CHART_SIZES, nameLabel } from "./frame.ts";

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
function roundStep(least: number): number {
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

/** The labels of categories: level in up to three lines, or slanted; perhaps not every one. */
export interface CategoryLabels {
  level: LevelLabel[];
  /** Each ends at its x and rises to the right by 45°. */
  slanted: { x: number; text: string }[];
  /** The distance between labelled categories: 1 labels every category, 2 every second one. */
  every: number;
}

const MOST_LINES = 3;
const CATEGORY_CLEAR = 12;
/** Wide enough to wrap words in. */
const WRAP_FROM_PX = 56;
/** Wide enough to break a word that fits no line. */
const BREAK_FROM_PX = 110;
const STAND_OUT = 1.3;
/** Two slanted lines of text stand clear at this distance. */
const SLANT_STEP_PX = 25;
const MOST_SLANTED_PX = 168;
/**
 * Some labels as short as years may be left out, since readers fill them in; longer ones are slanted first.
 */
const SHORT_PX = 40;
export const SLANT = Math.SQRT1_2;

/** Arranges labels at evenly spaced centres within a frame so that none overlaps another or leaves it. */
export function arrangeCategoryLabels(
  categories: readonly string[],
  centers: readonly number[],
  widthPx: number,
): CategoryLabels {
  const stepPx = centers.length > 1 ? (centers[1] ?? 0) - (centers[0] ?? 0) : widthPx;
  const names = categories.map(nameLabel);
  const level = arrangeLevel(names, centers, stepPx, widthPx);
  if (level !== null) return { level, slanted: [], every: 1 };
  const widest = Math.max(...names.map((name) => measureText(name, AXIS_FONT.sizePx)));
  if (widest <= SHORT_PX) {
    const items = names.map((name, index) => ({ x: centers[index] ?? 0, lines: [name] }));
    const { labels, step } = thinLevelLabels(items, widthPx, (kept) => kept);
    return { level: labels, slanted: [], every: step };
  }
  return arrangeSlanted(names, centers, roundStep(SLANT_STEP_PX / stepPx));
}

function arrangeLevel(
  names: readonly string[],
  centers: readonly number[],
  stepPx: number,
  widthPx: number,
): LevelLabel[] | null {
  const roomPx = stepPx - CATEGORY_CLEAR;
  const labels: LevelLabel[] = [];
  for (const [index, name] of names.entries()) {
    const single = measureText(name, AXIS_FONT.sizePx) <= roomPx;
    const lines = single ? [name] : wrapName(name, roomPx);
    if (lines === null) return null;
    labels.push({ x: centers[index] ?? 0, lines });
  }
  const settled = settleLevelLabels(labels, widthPx);
  return settled.clear ? settled.labels : null;
}

/** Lines that show more of a label than a slanted one would, without a word broken in two; null if there are none. */
function wrapName(name: string, roomPx: number): string[] | null {
  if (roomPx < WRAP_FROM_PX) return null;
  const widestWord = Math.max(...name.split(/\s+/).map((word) => measureText(word, AXIS_FONT.sizePx)));
  const breaks = widestWord > roomPx && roomPx >= BREAK_FROM_PX;
  // A word may stand out a little, for its neighbours are often shorter.
  if (!breaks && widestWord > roomPx * STAND_OUT) return null;
  const lines = wrapText(name, breaks ? roomPx : Math.max(roomPx, widestWord), MOST_LINES, AXIS_FONT);
  const cut = lines.at(-1)?.endsWith("…") === true;
  return cut && measureText(name, AXIS_FONT.sizePx) <= MOST_SLANTED_PX ? null : lines;
}

function arrangeSlanted(names: readonly string[], centers: readonly number[], every: number): CategoryLabels {
  const slanted: CategoryLabels["slanted"] = [];
  for (const [index, name] of names.entries()) {
    if (index % every !== 0) continue;
    const x = centers[index] ?? 0;
    // Nothing may leave the frame to the left, where a slanted label begins.
    const roomPx = Math.min(MOST_SLANTED_PX, (x - CHART_SIZES.edge) / SLANT - CHART_SIZES.text);
    slanted.push({ x, text: truncateText(name, roomPx, AXIS_FONT) });
  }
  return { level: [], slanted, every };
}

/** The left edge that slanted labels need between it and a right one, so that none must be cut for the frame. */
export function findSlantedEdge(categories: readonly string[], rightPx: number): number {
  let edge = 0;
  for (const [index, category] of categories.entries()) {
    const width = Math.min(MOST_SLANTED_PX, measureText(nameLabel(category), AXIS_FONT.sizePx));
    const center = (width + CHART_SIZES.text) * SLANT + CHART_SIZES.edge + 1;
    // The centre lies at this share between the edges, so moving the left one moves it by the rest.
    const share = (index + 0.5) / categories.length;
    edge = Math.max(edge, (center - rightPx * share) / (1 - share));
  }
  return edge;
}
