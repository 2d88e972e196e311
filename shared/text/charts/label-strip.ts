import { type LaidAnnotation, numberOf } from "./lay-annotations.ts";
import { listWraps, type PlacedText, roomOf } from "./place-labels.ts";
import { createGround, type Stroke } from "./shapes.ts";

/** Labels beside the upper or lower edge of a plot, each led to what it names. */
export interface Strip {
  heightPx: number;
  /** Those whose label has no room. */
  unplaced: number[];
  /** Its texts beside an edge at a height. */
  textsAt(edge: number): PlacedText[];
}

/** Which edge of a plot a strip lies on, within which width. */
interface StripEdge {
  side: "above" | "below";
  widthPx: number;
  numbered: ReadonlySet<number>;
}

/** A text beside an edge at the height 0, led to from there. */
interface StripText extends PlacedText {
  lead: Stroke;
  /** How far it reaches from the edge. */
  reachPx: number;
  isNextToEdge: boolean;
}

const FIRST_PX = 7;
const LEVEL_PX = 17;
const LEVELS = 6;
const AFTER_PX = 4;
/** White between a text and the line that leads to it. */
const STEM_GAP_PX = 2;

/** Places the labels of all annotations that run from top to bottom of a plot. */
export function planStrip(laid: readonly LaidAnnotation[], edge: StripEdge): Strip {
  const placed: { text: StripText; isBand: boolean }[] = [];
  const unplaced: number[] = [];
  const ground = createGround([]);
  const isNumbered = ({ index }: LaidAnnotation) => edge.numbered.has(index);
  // Numbers first: they leave room around them.
  const order = [...laid].sort((one, other) => Number(isNumbered(other)) - Number(isNumbered(one)));
  for (const { index, annotation, across, down } of order) {
    if (across === null || down !== null) continue;
    const label = edge.numbered.has(index) ? numberOf(index) : annotation.label;
    const places = listPlaces(label, (across[0] + across[1]) / 2, edge);
    const text = places.find((one) => ground.isFree(roomOf(one), one.lead));
    if (text === undefined) unplaced.push(index);
    else {
      ground.addText(roomOf(text), text.lead);
      placed.push({ text, isBand: annotation.kind === "band" });
    }
  }
  const heightPx = Math.max(0, ...placed.map(({ text }) => text.reachPx + AFTER_PX));
  return { heightPx, unplaced, textsAt: (at) => placed.map((one) => moveTo(one, at)) };
}

/** Places over what a label names, those first that need the least height. */
function listPlaces(label: string, x: number, { side, widthPx }: StripEdge): StripText[] {
  const places: StripText[] = [];
  for (const block of listWraps(label, widthPx)) {
    const inFrame = (left: number) => Math.min(Math.max(left, 0), widthPx - block.widthPx);
    const lefts = [x - block.widthPx / 2, x - STEM_GAP_PX, x + STEM_GAP_PX - block.widthPx].map(inFrame);
    for (let level = 0; level < LEVELS - block.lines.length + 1; level++) {
      const out = FIRST_PX + level * LEVEL_PX;
      const reachPx = out + block.heightPx;
      const [top, end] = side === "above" ? [-reachPx, STEM_GAP_PX - out] : [out, out - STEM_GAP_PX];
      const lead = [
        [x, 0],
        [x, end],
      ] as const;
      const place = { ...block, top, lead, reachPx, isNextToEdge: level === 0 };
      for (const left of new Set(lefts)) places.push({ ...place, left });
    }
  }
  return places.sort((one, other) => one.reachPx - other.reachPx);
}

/** A band's label next to the edge needs no line to it. */
function moveTo({ text, isBand }: { text: StripText; isBand: boolean }, at: number): PlacedText {
  const { lines, widthPx, heightPx, left, lead, isNextToEdge } = text;
  const [[x, from], [, to]] = lead;
  const moved = [
    [x, from + at],
    [x, to + at],
  ] as const;
  return { lines, widthPx, heightPx, left, top: text.top + at, lead: isBand && isNextToEdge ? null : moved };
}
