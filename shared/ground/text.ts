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

/** A text, or its first `limit` code points and dots. */
export function clipText(text: string, limit: number): string {
  const head = takeCodePoints(text, limit);
  return head === text ? text : `${head}…`;
}

/** A number with its noun, which takes an s for every number but one. */
export function countNoun(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** Words with commas between them, and another word before the last. */
export function joinWords(words: readonly (string | number)[], before = "and"): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? String(last) : `${words.slice(0, -1).join(", ")} ${before} ${last}`;
}

/** Compares texts by their UTF-16 units, as a sort expects. */
export function compareUnits(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
// Cells of files, and texts of before DEL and C1 were refused, may hold those.
const CONTROLS_OF_FILES = /[\u0000-\u0008\u000b-\u001f]/;
const LINE_BREAKS = /[\n\r\t]/;
// Bidirectional controls and zero-width characters: they let a name look like another name.
// U+200D and U+200C join letters and emoji in ordinary writing; they are zero-width all the same.
const DISGUISES = /[\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;
// All other characters without a shape: fillers such as U+3164, soft hyphens, tags, variation selectors.
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
// Variation selectors where they choose a shape: of an emoji, a keycap, an ideograph or a Mongolian letter.
const SHAPING =
  /(?<=[\p{Emoji}--[0-9#*]])[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)|(?<=\p{scx=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]|(?<=\p{scx=Mong})[\u180b-\u180d\u180f]/gv;
// U+2800 is the Braille pattern without a dot.
const SEEN = /[[\p{L}\p{N}\p{P}\p{S}]--[\u2800]]/v;

/** Why a text is no Unicode, or null. */
export function findHalfPair(text: string): string | null {
  return text.isWellFormed() ? null : "holds half of a surrogate pair; send well-formed Unicode";
}

/** Why the database cannot hold a text, or null: every text of a request is asked this before any other rule. */
export function findUnstorable(text: string): string | null {
  return findHalfPair(text) ?? (text.includes("\0") ? "holds the character U+0000; remove it" : null);
}

/** Why a text of several lines may not be stored, or null; expects CRLF already folded to LF. */
export function findMultiLineFault(text: string): string | null {
  return findLabelFault(text) ?? (CONTROLS.test(text) ? CONTROL_FAULT : null);
}

/** Why a label of a chart, which may be a cell of a file, may not be drawn, or null. */
export function findLabelFault(text: string): string | null {
  return findHalfPair(text) ?? (CONTROLS_OF_FILES.test(text) ? CONTROL_FAULT : null);
}

const CONTROL_FAULT = "holds a control character; only tab and newline are allowed";

/** A longer name is refused for its length alone, so nothing more of it is read. */
const MOST_READ = 10_000;

/** Why a single-line text (title, name, label) may not be stored, or null; an empty one is no fault here. */
export function findSingleLineFault(whole: string): string | null {
  const half = findHalfPair(whole);
  if (half !== null) return half;
  const text = whole.length > MOST_READ ? takeCodePoints(whole, MOST_READ) : whole;
  if (LINE_BREAKS.test(text)) return "must be one line, without tab or line break";
  if (CONTROLS.test(text)) return "holds a control character; remove it";
  return findUnseen(text);
}

/** A text without the characters that a single-line text may not hold because nobody sees them. */
export function removeUnseen(text: string): string {
  let kept = "";
  let end = 0;
  for (const { index, 0: selector } of text.matchAll(SHAPING)) {
    kept += leaveOutUnseen(text.slice(end, index)) + selector;
    end = index + selector.length;
  }
  return kept + leaveOutUnseen(text.slice(end));
}

function leaveOutUnseen(text: string): string {
  return Array.from(text)
    .filter((character) => !DISGUISES.test(character) && !INVISIBLE.test(character))
    .join("");
}

function findUnseen(text: string): string | null {
  const plain = text.replace(SHAPING, "");
  const disguise = DISGUISES.exec(plain)?.[0];
  if (disguise !== undefined)
    return `holds a zero-width or bidirectional control character, ${nameCodePoint(disguise)}; remove it`;
  const invisible = INVISIBLE.exec(plain)?.[0];
  if (invisible !== undefined) return `holds an invisible character, ${nameCodePoint(invisible)}; remove it`;
  const blank = /\S/u.exec(plain)?.[0];
  if (blank === undefined || SEEN.test(plain)) return null;
  return `holds nothing that can be seen, only ${nameCodePoint(blank)}; write at least one letter, digit or sign`;
}

/** A character as its code point is written, such as U+FEFF. */
export function nameCodePoint(character: string): string {
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * A value as JSON on one line, in which what acts on a terminal is escaped, and what YAML takes for an end of a line or
 * not at all: so it is YAML too.
 */
export function writePrintableJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A text that an author wrote, before a sentence of the service: with a full stop where it has no end of its own. */
export function endSentence(text: string): string {
  return /[\p{STerm}…]$/u.test(text) ? text : `${text}.`;
}
