import { measureText, wrapText } from "../drawing/measure-text.ts";
import { isolate, isolateIfNeeded } from "../drawing/svg.ts";
import type { Chart, ChartField } from "../markdown/charts/chart.ts";
import { nameZone } from "../markdown/charts/chart-times.ts";
import { formatFigure } from "./figures.ts";
import { AXIS_FONT, AXIS_TITLE_LINES, nameLabel } from "./frame.ts";

/** What written times leave out where they are labelled, in brackets: their zone, and which day of a week is meant. */
export function noteTimes({ x, grain, zone }: Chart): string {
  if (zone !== null && !x.title.includes("UTC")) return ` (${nameZone(zone)})`;
  return grain === "week" ? " (weeks from Monday)" : "";
}

/** What the numbers of a field count in, and whether their scale is a log one, in brackets. */
export function noteNumbers({ unit, scale }: ChartField): string {
  const notes = [...(unit === null ? [] : [isolateIfNeeded(unit)]), ...(scale.log ? ["log scale"] : [])];
  return notes.length === 0 ? "" : ` (${notes.join(", ")})`;
}

/** The name of an axis in lines: the title, and behind it a note, which is never left out. */
export function setFieldName(field: ChartField, roomPx: number, more = ""): string[] {
  const note = `${noteNumbers(field)}${more}`;
  if (note === "") return wrapText(field.title, roomPx, AXIS_TITLE_LINES, AXIS_FONT);
  const whole = `${isolate(field.title)}${note}`;
  if (measureText(whole, AXIS_FONT.sizePx) <= roomPx) return [whole];
  return [
    ...wrapText(field.title, roomPx, 1, AXIS_FONT),
    ...wrapText(note, roomPx, AXIS_TITLE_LINES, AXIS_FONT),
  ];
}

/** A number of a field as texts say it: by its format, with its unit; as it is written where the block says nothing. */
export function sayNumber({ format, unit }: ChartField, value: number, written = String(value)): string {
  const figure = format === null ? written : formatFigure(value, 0, format);
  return unit === null ? figure : `${figure} ${isolateIfNeeded(unit)}`;
}

/** What a row has on the axis of x as texts say it; `long` has the digits that a double loses. */
export function sayX({ x }: Chart, written: number | string, long?: string): string {
  return typeof written === "number" ? sayNumber(x, written, long) : nameLabel(written);
}
