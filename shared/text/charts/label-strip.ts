import { type LaidAnnotation, numberOf } from "./lay-annotations.ts";
import { listWraps, type PlacedText, roomOf, type TextBlock } from "./place-labels.ts";
import { type Box, createGround, type Stroke } from "./shapes.ts";

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

/** A text by its distance from the edge. */
type StripText = TextBlock & { left: number; out: number };

const FIRST_PX = 7;
const LEVEL_PX = 17;
const LEVELS = 6;
const AFTER_PX = 4;
/** White between a text and the line that leads to it. */
const STEM_GAP_PX = 2;

/** Places the labels of all annotations that run from top to bottom of a plot. */
export function planStrip(laid: readonly LaidAnnotation[], edge: StripEdge): Strip {
  const placed: { text: StripText; x: number; isBand: boolean }[] = [];
  const unplaced: number[] = [];
  const isNumbered = ({ index }: LaidAnnotation) => edge.numbered.has(index);
  const ground = createGround([]);
  // Numbers first: they leave room around them.
  const order = [...laid].sort((one, other) => Number(isNumbered(other)) - Number(isNumbered(one)));
  for (const { index, annotation, across, down } of order) {
    if (across === null || down !== null) continue;
    const label = edge.numbered.has(index) ? numberOf(index) : annotation.label;
    const x = (across[0] + across[1]) / 2;
    const text = listPlaces(label, x, edge.widthPx).find((one) =>
      ground.isFree(roomInStrip(one), stemOf(one, x)),
    );
    if (text === undefined) unplaced.push(index);
    else {
      ground.addText(roomInStrip(text), stemOf(text, x));
      placed.push({ text, x, isBand: annotation.kind === "band" });
    }
  }
  return {
    heightPx: Math.max(0, ...placed.map(({ text }) => text.out + text.heightPx + AFTER_PX)),
    unplaced,
    textsAt: (at) => placed.map((one) => toPlaced(one, at, edge.side)),
  };
}

/** Places over what a label names, those first that need the least height. */
function listPlaces(label: string, x: number, widthPx: number): StripText[] {
  const places: StripText[] = [];
  for (const block of listWraps(label, widthPx)) {
    const inFrame = (left: number) => Math.min(Math.max(left, 0), widthPx - block.widthPx);
    const lefts = [x - block.widthPx / 2, x - STEM_GAP_PX, x + STEM_GAP_PX - block.widthPx].map(inFrame);
    for (let level = 0; level < LEVELS - block.lines.length + 1; level++) {
      for (const left of new Set(lefts)) places.push({ ...block, left, out: FIRST_PX + level * LEVEL_PX });
    }
  }
  return places.sort((one, other) => one.out + one.heightPx - other.out - other.heightPx);
}

function roomInStrip({ out, ...text }: StripText): Box {
  return roomOf({ ...text, top: out });
}

function stemOf({ out }: StripText, x: number): Stroke {
  return [
    [x, 0],
    [x, out - STEM_GAP_PX],
  ];
}

/** A band's label beside the edge needs no line to it. */
function toPlaced(
  { text: { out, ...text }, x, isBand }: { text: StripText; x: number; isBand: boolean },
  at: number,
  side: StripEdge["side"],
): PlacedText {
  const isAbove = side === "above";
  const end = isAbove ? at - out + STEM_GAP_PX : at + out - STEM_GAP_PX;
  const lead = [
    [x, at],
    [x, end],
  ] as const;
  return {
    ...text,
    top: isAbove ? at - out - text.heightPx : at + out,
    lead: isBand && out === FIRST_PX ? null : lead,
  };
}
