/** Rules for characters that hold for every text the service stores; lengths are Unicode code points. */

/** Number of Unicode code points of a text (contract: every limit counts these). */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** The first `limit` code points of a text. */
export function takeCodePoints(text: string, limit: number): string {
  let count = 0;
  let units = 0;
  for (const character of text) {
    if (count === limit) break;
    count++;
    units += character.length;
  }
  return text.slice(0, units);
}

/** A text of at most `limit` code points: a longer one is cut and ends in dots. */
export function shortenText(text: string, limit: number): string {
  return countCodePoints(text) <= limit ? text : `${takeCodePoints(text, limit - 1).trimEnd()}…`;
}

// C0 alone: U+007F prints nothing and breaks nothing.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f]/;
const LINE_BREAKS = /[\n\r\t]/;
// Bidirectional controls and zero-width characters: they let a name look like another name.
// U+200D and U+200C join letters and emoji in ordinary writing; they are zero-width all the same.
const DISGUISES = /[\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;

/** Why a text of several lines may not be stored, or null; expects CRLF already folded to LF. */
export function findMultiLineFault(text: string): string | null {
  if (!text.isWellFormed()) return "holds half of a surrogate pair; send well-formed Unicode";
  if (CONTROLS.test(text)) return "holds a control character; only tab and newline are allowed";
  return null;
}

/** Why a single-line text (title, name, label) may not be stored, or null. */
export function findSingleLineFault(text: string): string | null {
  if (!text.isWellFormed()) return "holds half of a surrogate pair; send well-formed Unicode";
  if (LINE_BREAKS.test(text)) return "must be one line, without tab or line break";
  if (CONTROLS.test(text)) return "holds a control character; remove it";
  if (DISGUISES.test(text)) return "holds a zero-width or bidirectional control character; remove it";
  return null;
}
