const [SUPERSCRIPT, SUBSCRIPT] = [/^[\u2070-\u207e]/, /^[\u2080-\u208e]/];
const THIN_BLANK = "\u2009";

/**
 * The letters that a letter stands for, for fonts that do not have it: `km` for `㎞`, `2` for `₂`. A number never
 * lengthens the one before it: `10⁵` is `10^5`, and a thin blank stands before that of `⅓` or `①`.
 */
export function writePlain(letter: string): string {
  const plain = letter.normalize("NFKC");
  if (SUPERSCRIPT.test(letter)) return `^${plain}`;
  const isNumber = /^\d/.test(plain) && !/^\p{Nd}/u.test(letter) && !SUBSCRIPT.test(letter);
  return isNumber ? `${THIN_BLANK}${plain}` : plain;
}
