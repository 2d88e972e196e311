import { isAddress } from "./cell-kinds.ts";
import { MARKS } from "./cell-marks.ts";

// The usual notations for an unknown value.
const NOTHING_KNOWN =
  /^(?:n\/?a|#n\/?a|#(?:null|div\/0|value|ref|num)!|#name\?|<na>|nan|null|none|nil|nd|n\.?d\.?|n\. ?v\.|k\. ?a\.|unknown|missing|[-–—]+|\.+|…|\?+|\*+|\\n|:(?: [a-z]{1,2})?)$/i;

const SIGN = "[-+\\u2012-\\u2014\\u2212]";
const CURRENCY =
  "(?:[A-Z]{0,3}[$€£¥₹₽₩]|EUR|USD|GBP|CHF|JPY|CNY|SEK|NOK|DKK|PLN|CZK|HUF|CAD|AUD|NZD|INR|BRL|MXN|ZAR|TRY|RUB|kr\\.?|Fr\\.)";
const GROUPS =
  "\\d{1,3}(?:[ ,.'\\u2019\\u00a0\\u2009\\u202f]\\d{2,3})*[ ,.'\\u2019\\u00a0\\u2009\\u202f]\\d{3}";
const FLAG = "(?<=\\.\\d+\\s)(?![ap]m)[a-z]{1,2}|\\(\\w\\)|\\[\\w{1,2}\\]|[*†‡]{1,3}";
const BODY = `(?:${GROUPS}(?:[.,]\\d+)?|(?:\\d+,|\\d*\\.)?\\d+(?:e[-+]?\\d+)?|\\d+\\.)`;
/** Plain, in groups, with a decimal comma or point; with a sign, brackets, a currency, a percent mark, a flag or short unit, or the mark of a note. */
const LIKE_NUMBER = new RegExp(
  `^(?:${CURRENCY}\\s*)?\\(?\\s?(?:${SIGN}\\s*)?(?:${CURRENCY}\\s*)?(?:${SIGN}\\s*)?${BODY}\\s*(?:${CURRENCY}|[%‰]|${SIGN}|[CD]R|${FLAG})?\\)?$`,
  "i",
);
/** A longer cell is no number: a pattern that tries all parts takes long for thousands of blanks. */
const MOST_BYTES = 60;

/** Whether a text is a number but for how it is written, in the digits of any script. */
export function isLikeNumber(text: string): boolean {
  const written = text
    .replace(/\p{Nd}/gu, "0")
    .replaceAll("٫", ".")
    .replaceAll("٬", ",");
  return written.includes("0") && LIKE_NUMBER.test(written);
}

const [SINGLE_QUOTE, ZERO, NINE, FIRST_OTHER, LONGEST_NOTHING] = [0x27, 0x30, 0x39, 0x80, 9];
// By their first bytes: short texts that may say that nothing is known, and texts that may be in single quotes.
const STARTS = new Uint8Array(256);
for (const byte of Buffer.from("nN#<kKuUmM-–.?*:\\ \t")) STARTS[byte] = 1;
STARTS[SINGLE_QUOTE] = 2;

/** The marks of a text by its first byte and its length: most are plain, as far as their column has plain texts. */
export function markTextByStart(first: number, length: number): number {
  return (STARTS[first] as number) > (length > LONGEST_NOTHING ? 1 : 0) ? MARKS.look : MARKS.plain;
}

/** The marks of a text that is looked at, or is the first of its column that may be plain. */
export function markText(bytes: Buffer, from: number, length: number, isAddressed: boolean): number {
  if (isAddressed && isAddress(bytes.toString("utf8", from, from + length).trim())) return MARKS.address;
  if (bytes[from] === SINGLE_QUOTE && length > 2 && bytes[from + length - 1] === SINGLE_QUOTE)
    return MARKS.single | MARKS.plain;
  const isShort = length <= LONGEST_NOTHING;
  if (!isShort && (length > MOST_BYTES || !endsInNumber(bytes, from, length))) return MARKS.plain;
  const text = bytes.toString("utf8", from, from + length).trim();
  if (isShort && NOTHING_KNOWN.test(text)) return MARKS.nothing;
  return isLikeNumber(text) ? MARKS.format : MARKS.plain;
}

/** Whether one of the last bytes is a digit, or of a script that may have its own, as in every number with what may follow it. */
function endsInNumber(bytes: Uint8Array, from: number, length: number): boolean {
  for (let at = from + length - 1; at >= from && at >= from + length - 8; at--) {
    const byte = bytes[at] as number;
    if ((byte >= ZERO && byte <= NINE) || byte >= FIRST_OTHER) return true;
  }
  return false;
}
