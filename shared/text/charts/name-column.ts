import { countCodePoints } from "../../ground/text.ts";
import { measureText, wrapText } from "../drawing/measure-text.ts";
import { element, formatNumber, isolate, type SvgNode } from "../drawing/svg.ts";
import { AXIS_FONT, CHART_SIZES, drawTextLines, nameLabel } from "./frame.ts";
import { cornersOf, type Shape } from "./shapes.ts";

/** A name beside or above its bar: its lines, and the whole of it where they do not show it. */
export interface BarName {
  lines: string[];
  whole: string | null;
  /** The share of their width to which lines are drawn that are too wide for the frame. */
  narrowed: number;
}

/** The names of horizontal bars: in a column at their left of so many px, or above each where that is 0. */
export interface NameColumn {
  widthPx: number;
  names: BarName[];
}

const MOST_LINES = 3;
/** A longer name is cut to so many characters, its ellipsis among them. */
const WHOLE_CHARACTERS = 60;
/** Shares of a frame: names in one line may take the first, wrapped ones the second. */
const MOST_SINGLE = 0.34;
const MOST_WRAPPED = 0.42;
/** By how much a line grows until a name fits. */
const WIDER = 1.05;

const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });

/** A name in one line, at most as long as is drawn. */
interface ShortName {
  text: string;
  widthPx: number;
  /** The whole of it where it is longer. */
  whole: string | null;
}

/** Sets names beside their bars, or above them where a column takes too much of the frame. */
export function setNames(categories: readonly string[], frameWidthPx: number): NameColumn {
  const names = categories.map(shortenName);
  const widest = Math.max(...names.map(({ widthPx }) => widthPx));
  const besidePx = widest <= frameWidthPx * MOST_SINGLE ? widest : frameWidthPx * MOST_WRAPPED;
  const beside = names.flatMap(({ text, widthPx, whole }): BarName[] => {
    const lines = widthPx <= besidePx ? [text] : wrapWhole(text, besidePx);
    return lines === null ? [] : [{ lines, whole, narrowed: 1 }];
  });
  if (beside.length < names.length) return setNamesAbove(categories, frameWidthPx);
  return { widthPx: widestOf(beside.flatMap(({ lines }) => lines)), names: beside };
}

/** Sets each name in lines of its own above its bar. */
export function setNamesAbove(categories: readonly string[], frameWidthPx: number): NameColumn {
  const roomPx = frameWidthPx - CHART_SIZES.edge;
  const names = categories.map(shortenName).map(({ text, whole }): BarName => {
    const lines = wrapLong(text, roomPx);
    return { lines, whole, narrowed: Math.min(1, roomPx / widestOf(lines)) };
  });
  return { widthPx: 0, names };
}

function widestOf(lines: readonly string[]): number {
  return Math.max(...lines.map((line) => measureText(line, AXIS_FONT.sizePx)));
}

function shortenName(category: string): ShortName {
  const name = nameLabel(category).replace(/\s+/g, " ").trim();
  const isLong = countCodePoints(name) > WHOLE_CHARACTERS;
  const text = isLong ? cutName(name) : name;
  return { text, widthPx: measureText(text, AXIS_FONT.sizePx), whole: isLong ? name : null };
}

function cutName(name: string): string {
  let kept = "";
  let length = 1;
  for (const { segment } of GRAPHEMES.segment(name)) {
    length += countCodePoints(segment);
    if (length > WHOLE_CHARACTERS) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** The lines of a name, none of its words broken; null where it needs more room. */
function wrapWhole(name: string, roomPx: number): string[] | null {
  const isBroken = name.split(" ").some((word) => measureText(word, AXIS_FONT.sizePx) > roomPx);
  const lines = isBroken ? [] : wrapText(name, roomPx, MOST_LINES, AXIS_FONT);
  return isWhole(lines, name) ? lines : null;
}

/** All of a name in three lines, each as little wider than the frame as it takes: wide letters are drawn narrower. */
function wrapLong(name: string, roomPx: number): string[] {
  let lines = wrapText(name, roomPx, MOST_LINES, AXIS_FONT);
  for (let widthPx = roomPx; !isWhole(lines, name); widthPx *= WIDER)
    lines = wrapText(name, widthPx, MOST_LINES, AXIS_FONT);
  return lines;
}

function isWhole(lines: readonly string[], name: string): boolean {
  return lines.join("").replaceAll(" ", "") === name.replaceAll(" ", "");
}

const BAR_PX = 18;
const BAR_UNDER_NAME_PX = 14;
/** White between two bars, or between a bar and the name of the next. */
const BETWEEN_PX = 9;

/** Where bars and names lie: middles of bars, tops of names. */
export interface BarRows {
  barPx: number;
  centers: number[];
  texts: number[];
  bottom: number;
}

/** Where the bars lie from a height on, each with the room that its name needs. */
export function placeRows({ widthPx, names }: NameColumn, top: number): BarRows {
  const isBeside = widthPx > 0;
  const barPx = isBeside ? BAR_PX : BAR_UNDER_NAME_PX;
  const rows: BarRows = { barPx, centers: [], texts: [], bottom: top };
  for (const { lines } of names) {
    const textPx = lines.length * CHART_SIZES.line;
    const rowPx = isBeside ? Math.max(barPx, textPx) : textPx + barPx;
    const from = rows.bottom + BETWEEN_PX / 2;
    rows.centers.push(isBeside ? from + rowPx / 2 : from + rowPx - barPx / 2);
    rows.texts.push(from + (isBeside ? (rowPx - textPx) / 2 : 0));
    rows.bottom += rowPx + BETWEEN_PX;
  }
  return rows;
}

/** Paper under names that stand above their bars, so that no line of the grid runs through them. */
export function drawStrips({ names }: NameColumn, { texts }: BarRows, widthPx: number): SvgNode {
  const strips = names.map(({ lines }, index) => {
    const height = lines.length * CHART_SIZES.line;
    return `M0,${formatNumber(texts[index] ?? 0)}h${widthPx}v${height}h${-widthPx}z`;
  });
  return element("path", { class: "paper", d: strips.join(""), fill: "currentColor" });
}

/** The rooms of names that stand above their bars. */
export function listNameRooms({ widthPx, names }: NameColumn, { texts }: BarRows, right: number): Shape[] {
  if (widthPx > 0) return [];
  return names.map(({ lines }, index) => {
    const top = texts[index] ?? 0;
    return cornersOf({ left: 0, right, top, bottom: top + lines.length * CHART_SIZES.line });
  });
}

/** Draws the names, each whole for a pointer where its end is cut. */
export function drawNames({ widthPx, names }: NameColumn, { texts }: BarRows): SvgNode {
  const place = widthPx > 0 ? { x: widthPx, "text-anchor": "end" } : { x: 0 };
  const nodes = names.flatMap(({ lines, whole, narrowed }, index) => {
    const top = (texts[index] ?? 0) + 13;
    const transform = narrowed < 1 ? `scale(${narrowed.toFixed(3)} 1)` : undefined;
    const drawn = drawTextLines(lines, { ...place, y: top, transform });
    return whole === null ? drawn : [element("g", {}, [element("title", {}, [isolate(whole)]), ...drawn])];
  });
  return element("g", {}, nodes);
}
