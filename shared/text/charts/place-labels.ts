import { measureText, wrapText } from "../drawing/measure-text.ts";
import { AXIS_FONT, CHART_SIZES } from "./frame.ts";
import type { Box, createGround, Point, Stroke } from "./shapes.ts";

/** A text in lines, and the room that it takes. */
export interface TextBlock {
  lines: string[];
  widthPx: number;
  heightPx: number;
}

/** A text at its place, with a hair line to what it names where that is further away. */
export interface PlacedText extends TextBlock {
  left: number;
  top: number;
  lead: Stroke | null;
}

type Placed = Pick<PlacedText, "left" | "top" | "widthPx" | "heightPx">;

/** From the top of a line's letters to its baseline, and to the lowest reach of its letters. */
export const ASCENT_PX = 10;
const LINE_REACH_PX = 13;
const MOST_LINES = 3;
/** White around a text. */
const CLEAR_PX = 2;
/** A text may rise over the upper edge of a plot by as much as the label of its highest tick. */
const ABOVE_PX = 4;

/** A label in one to three lines of whole words within a width, fewer lines first; empty where it does not fit. */
export function listWraps(label: string, mostPx: number): TextBlock[] {
  const wholePx = measureText(label, CHART_SIZES.text);
  const words = label.split(/\s+/).join(" ");
  const blocks = Array.from({ length: MOST_LINES }, (_, index) => {
    const wantedPx = index === 0 ? wholePx : (wholePx / (index + 1)) * 1.25;
    return wrapText(label, Math.min(wantedPx, mostPx), MOST_LINES + 1, AXIS_FONT);
  });
  const fitting = blocks.filter((lines, index) => lines.length <= index + 1 && lines.join(" ") === words);
  return fitting.map((lines) => ({
    lines,
    widthPx: Math.max(...lines.map((line) => measureText(line, CHART_SIZES.text))),
    heightPx: LINE_REACH_PX + (lines.length - 1) * CHART_SIZES.line,
  }));
}

/** The room of a text with white around it. */
export function roomOf({ left, top, widthPx, heightPx }: Placed): Box {
  return {
    left: left - CLEAR_PX,
    right: left + widthPx + CLEAR_PX,
    top: top - CLEAR_PX,
    bottom: top + heightPx + CLEAR_PX,
  };
}

/** Where texts of a plot are placed. */
interface Space {
  ground: ReturnType<typeof createGround>;
  plot: Box;
  listPlaces(block: TextBlock): Iterable<Point>;
  leadTo(placed: Placed): PlacedText["lead"];
}

/** The first of some places in a plot at which a text stands free; null where it does so at none. */
export function findFree(
  blocks: readonly TextBlock[],
  { ground, plot, listPlaces, leadTo }: Space,
): PlacedText | null {
  for (const block of blocks) {
    for (const [left, top] of listPlaces(block)) {
      const room = roomOf({ ...block, left, top });
      const isInside =
        room.left >= plot.left &&
        room.right <= plot.right &&
        room.top >= plot.top - ABOVE_PX &&
        room.bottom <= plot.bottom;
      if (!isInside) continue;
      const placed = { ...block, left, top, lead: leadTo({ ...block, left, top }) };
      if (ground.isFree(room, placed.lead)) return placed;
    }
  }
  return null;
}

const BESIDE_PX = 3;
const SLIDE_PX = 16;

/** Places beside a level line or in a level band: first at its right end, above it before below it. */
export function* placesAlong(
  { widthPx, heightPx }: TextBlock,
  [high, low]: readonly [high: number, low: number],
  { left, right }: Box,
): Generator<Point> {
  const inside = low - high >= heightPx + 2 * BESIDE_PX ? [high + BESIDE_PX, low - BESIDE_PX - heightPx] : [];
  for (const top of [...inside, high - BESIDE_PX - heightPx, low + BESIDE_PX]) {
    for (let x = right - CLEAR_PX - widthPx; x >= left; x -= SLIDE_PX) yield [x, top];
  }
}

const NEAR_PX = [9, 18, 30];
const FAR_PX = 150;
const STEP_PX = 12;
/** A text further away than this is led to. */
const LED_PX = 12;
/** White between a hair line and its text. */
const LEAD_GAP_PX = 2;

/** Places around a point: beside, above and below it, then ever further away. */
export function* placesAround({ widthPx, heightPx }: TextBlock, [x, y]: Point): Generator<Point> {
  for (const away of NEAR_PX) {
    const [middleX, middleY] = [x - widthPx / 2, y - heightPx / 2];
    const [leftX, rightX] = [x - away - widthPx, x + away];
    const [above, below] = [y - away - heightPx, y + away];
    yield* [
      [rightX, middleY],
      [leftX, middleY],
      [middleX, above],
      [middleX, below],
      [rightX, above],
      [leftX, above],
      [rightX, below],
      [leftX, below],
    ] as const;
  }
  const far: { place: Point; away: number }[] = [];
  for (let left = x - FAR_PX - widthPx; left <= x + FAR_PX; left += STEP_PX) {
    for (let top = y - FAR_PX - heightPx; top <= y + FAR_PX; top += STEP_PX) {
      const near = nearestOf({ left, top, widthPx, heightPx }, [x, y]);
      far.push({ place: [left, top], away: Math.hypot(near[0] - x, near[1] - y) });
    }
  }
  for (const { place } of far.sort((one, other) => one.away - other.away)) yield place;
}

/** The hair line from a point's ring to a text; null where that is beside it. */
export function leadTo(placed: Placed, [x, y]: Point, ringPx: number): PlacedText["lead"] {
  const [nearX, nearY] = nearestOf(placed, [x, y]);
  const away = Math.hypot(nearX - x, nearY - y);
  if (away <= LED_PX) return null;
  const at = (px: number): Point => [x + ((nearX - x) * px) / away, y + ((nearY - y) * px) / away];
  return [at(ringPx), at(away - LEAD_GAP_PX)];
}

function nearestOf({ left, top, widthPx, heightPx }: Placed, [x, y]: Point): Point {
  return [Math.min(Math.max(x, left), left + widthPx), Math.min(Math.max(y, top), top + heightPx)];
}
