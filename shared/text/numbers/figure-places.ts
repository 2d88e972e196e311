import { findOccurrences } from "../../ground/occurrences.ts";
import { type Numeral, partWords } from "./numerals.ts";

/** A place where a figure's text stands in what readers see. */
export interface Place {
  start: number;
  end: number;
  /** Which of the texts it is. */
  index: number;
}

/**
 * The occurrences of figures' texts in their order: each by itself, neither a part of a word nor of a longer number, none
 * within another. Of texts that overlap the longest is found, of equal ones the first; a line end is a blank.
 */
export function findPlaces(
  seen: string,
  numerals: readonly Omit<Numeral, "counts">[],
  texts: readonly string[],
): Place[] {
  const words = seen.replaceAll("\n", " ");
  const found = texts
    .map((text, index) => ({ length: text.length, index, starts: findOccurrences(words, text) }))
    .filter(({ starts }) => starts.length > 0)
    .toSorted((one, other) => other.length - one.length || one.index - other.index);
  if (found.length === 0) return [];
  const standsAlone = openStandsAlone(words, numerals);
  const taken = new Uint8Array(words.length);
  const places: Place[] = [];
  for (const { length, index, starts } of found) {
    for (const start of starts) {
      const end = start + length;
      if (!standsAlone(start, end) || taken.subarray(start, end).includes(1)) continue;
      taken.fill(1, start, end);
      places.push({ start, end, index });
    }
  }
  return places.toSorted((one, other) => one.start - other.start);
}

/** Where the digits of a number begin, behind its sign. */
export function digitsOf(words: string, { start }: { start: number }): number {
  return /\d/.test(words.charAt(start)) ? start : start + 1;
}

/** What stands before a part of a longer number or word: 12 in 3.12, in 3,12, in -12 and in CO12. */
const PARTED_BEFORE = /(?:[\p{L}\p{M}\p{Nd}_]|\p{Nd}[.,'’\u2009\u202f]|(?<![\p{L}\p{Nd}])[-−.])$/u;
const PARTED_AFTER = /^(?:[\p{L}\p{M}\p{Nd}_]|[.,'’\u2009\u202f]\p{Nd})/u;
/** As many characters around a place tell whether it is a part of something. */
const LOOK = 4;

/** Tells whether a place is a whole number or word: what the data say of 12 is not said of 3.12 or 12 000. */
function openStandsAlone(words: string, numerals: readonly Omit<Numeral, "counts">[]) {
  const parted = partWords(words);
  const within = new Uint8Array(words.length + 1);
  for (const numeral of numerals) within.fill(1, digitsOf(words, numeral) + 1, numeral.end);
  return (start: number, end: number) =>
    within[start] === 0 &&
    within[end] === 0 &&
    !PARTED_BEFORE.test(parted.slice(Math.max(0, start - LOOK), start)) &&
    !PARTED_AFTER.test(parted.slice(end, end + LOOK));
}
