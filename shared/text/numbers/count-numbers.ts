import type { ReadText } from "../markdown/read-text.ts";
import type { SeenText } from "../markdown/seen-text.ts";
import { digitsOf, findPlaces, type Place } from "./figure-places.ts";

/** How many numbers of a text readers see, how many of them figures prove, and the first of the others. */
export interface NumberCount {
  numbers_in_text: number;
  numbers_checked: number;
  unchecked: { text: string; line: number }[];
}

/** The most numbers that an answer lists. */
const UNCHECKED_SHOWN = 50;

/** Counts the numbers of a text; those within an occurrence of a figure's text are checked. */
export function countNumbers({ seen }: Pick<ReadText, "seen">, figureTexts: readonly string[]): NumberCount {
  const count: NumberCount = { numbers_in_text: 0, numbers_checked: 0, unchecked: [] };
  const isChecked = openIsWithin(findPlaces(seen.words, seen.numerals, figureTexts));
  const lineOf = openLineOf(seen);
  for (const numeral of seen.numerals) {
    const { start, end, counts } = numeral;
    if (isChecked(digitsOf(seen.words, numeral), end)) count.numbers_checked++;
    else if (!counts) continue;
    else if (count.unchecked.length < UNCHECKED_SHOWN)
      count.unchecked.push({ text: seen.words.slice(start, end), line: lineOf(start) });
    count.numbers_in_text++;
  }
  return count;
}

/** The occurrences of figures' texts as readers meet them: which of the texts, and the line of the Markdown. */
export function listOccurrences(
  { seen }: Pick<ReadText, "seen">,
  figureTexts: readonly string[],
): (Place & { line: number })[] {
  const lineOf = openLineOf(seen);
  const places = findPlaces(seen.words, seen.numerals, figureTexts);
  return places.map((place) => ({ ...place, line: lineOf(place.start) }));
}

/** Tells of ascending stretches whether each lies in one of the ascending places. */
function openIsWithin(places: readonly { start: number; end: number }[]) {
  let next = 0;
  return (start: number, end: number): boolean => {
    while ((places[next]?.end ?? end) < end) next++;
    return (places[next]?.start ?? end) <= start;
  };
}

/** Tells the lines of ascending places. */
function openLineOf({ lines }: SeenText) {
  let next = 0;
  return (at: number): number => {
    while ((lines[next + 1]?.at ?? at + 1) <= at) next++;
    return lines[next]?.line ?? 1;
  };
}
