import { countCodePoints } from "../../ground/text.ts";
import { measureText, wrapText } from "../drawing/measure-text.ts";
import { AXIS_FONT, CHART_SIZES, nameLabel } from "./frame.ts";

/** A name beside or above its bar: its lines, and the whole of it where they do not show it. */
export interface BarName {
  lines: string[];
  whole: string | null;
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

const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Sets names beside their bars, or above them where a column takes too much of the frame. */
export function setNames(categories: readonly string[], frameWidthPx: number): NameColumn {
  const wholes = categories.map((category) => nameLabel(category).replace(/\s+/g, " ").trim());
  const names = wholes.map(shortenName);
  const widest = Math.max(...names.map((name) => measureText(name, AXIS_FONT.sizePx)));
  const besidePx = widest <= frameWidthPx * MOST_SINGLE ? widest : frameWidthPx * MOST_WRAPPED;
  const beside = names.map((name) => wrapWhole(name, besidePx));
  if (beside.every((lines) => lines !== null)) return arrange(beside, wholes, true);
  return setNamesAbove(categories, frameWidthPx);
}

/** Sets each name in lines of its own above its bar. */
export function setNamesAbove(categories: readonly string[], frameWidthPx: number): NameColumn {
  const wholes = categories.map((category) => nameLabel(category).replace(/\s+/g, " ").trim());
  const roomPx = frameWidthPx - CHART_SIZES.edge;
  const lines = wholes.map((name) => wrapText(shortenName(name), roomPx, MOST_LINES, AXIS_FONT));
  return arrange(lines, wholes, false);
}

function arrange(lines: readonly string[][], wholes: readonly string[], isBeside: boolean): NameColumn {
  const names = lines.map((own, index): BarName => {
    const whole = wholes[index] ?? "";
    return { lines: own, whole: isWhole(own, whole) ? null : whole };
  });
  const widths = lines.flat().map((line) => measureText(line, AXIS_FONT.sizePx));
  return { widthPx: isBeside ? Math.max(...widths) : 0, names };
}

function shortenName(name: string): string {
  if (countCodePoints(name) <= WHOLE_CHARACTERS) return name;
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

function isWhole(lines: readonly string[], name: string): boolean {
  return lines.join("").replaceAll(" ", "") === name.replaceAll(" ", "");
}
