/** The largest part of a text that may be missing; with more missing, another text takes its place. */
const MOST_LOST = 1 / 3;

const MARKS = new Set(".,:;!?…");

/**
 * The part of a text that a font has glyphs for, on one line. Characters without a glyph are left out, and so
 * are combining marks that no composed letter holds, and invisible characters. Null where more than a third
 * of the visible characters is lost.
 */
export function keepSettable(text: string, covered: ReadonlySet<number>): string | null {
  let kept = "";
  let seen = 0;
  let lost = 0;
  let isGap = false;
  for (const character of text.normalize("NFC")) {
    if (/\s/u.test(character)) kept += " ";
    else if (!/[\p{M}\p{Cf}\p{Cc}]/u.test(character)) {
      seen++;
      const isCovered = covered.has(character.codePointAt(0) ?? 0);
      // A mark that stood behind a lost character moves up to the word before it.
      if (isGap && MARKS.has(character)) kept = kept.trimEnd();
      if (isCovered) kept += character;
      else lost++;
      isGap = !isCovered;
    }
  }
  if (seen === 0 || lost > seen * MOST_LOST) return null;
  return lost === 0 ? tidySpaces(kept) : tidySpaces(kept.replace(/\(\s*\)|\[\s*\]|«\s*»|“\s*”/g, " "));
}

function tidySpaces(text: string): string {
  return text.replace(/ +/g, " ").trim();
}
