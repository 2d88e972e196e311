import type { ReadText } from "../markdown/read-text.ts";

/** Characters of which no Markdown is made and that no number touches: one for each place that is looked for. */
const FIRST_MARK = 0xf0000;
const MARKS = /[\u{f0000}-\u{ffffd}]/gu;
const MOST_PLACES = 0xfffd;
/** How often a text is read to tell marks that readers see from those that change what it says. */
const MOST_READS = 32;

/**
 * Finds which places of a Markdown text readers see as they are written, by where each stands in the words. The text is
 * read with a mark at each place: one that changes the words stands in something else, such as the number of a list.
 */
export async function locateSeen(
  read: (markdown: string) => Promise<Pick<ReadText, "seen">>,
  markdown: string,
  places: readonly number[],
): Promise<Map<number, number>> {
  const { words } = (await read(markdown)).seen;
  const located = new Map<number, number>();
  let left = MOST_READS;
  const look = async (some: readonly number[]): Promise<void> => {
    if (some.length === 0 || left-- <= 0) return;
    const marked = (await read(markPlaces(markdown, some))).seen.words;
    if (marked.replace(MARKS, "") === words) {
      let width = 0;
      for (const { 0: mark, index } of marked.matchAll(MARKS)) {
        located.set(index - width, some[(mark.codePointAt(0) ?? 0) - FIRST_MARK] ?? 0);
        width += mark.length;
      }
    } else if (some.length > 1) {
      const half = some.length >> 1;
      await look(some.slice(0, half));
      await look(some.slice(half));
    }
  };
  await look(places.slice(0, MOST_PLACES));
  return located;
}

function markPlaces(markdown: string, places: readonly number[]): string {
  const ends = [...places, markdown.length];
  const marked = places.map(
    (place, at) => String.fromCodePoint(FIRST_MARK + at) + markdown.slice(place, ends[at + 1]),
  );
  return markdown.slice(0, ends[0]) + marked.join("");
}
