const SLUG_CHARACTERS = 80;
const BRIEF_WORDS_CHARACTERS = 60;
const ULID_ENDING_CHARACTERS = 6;

// Letters that have no decomposition into a base letter and marks.
const FOLDED: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ð: "d",
  đ: "d",
  þ: "th",
  ł: "l",
  ı: "i",
  ħ: "h",
  ŋ: "n",
};

/** A slug from a title: ASCII letters and digits, hyphens between words, at most 80 characters. */
export function slugFrom(title: string): string {
  return hyphenate(title, SLUG_CHARACTERS) || "untitled";
}

/** The slug of a brief: its first words and the last six characters of its ULID, which make it unique. */
export function briefSlugFrom(text: string, ulid: string): string {
  const words = hyphenate(text, BRIEF_WORDS_CHARACTERS) || "brief";
  return `${words}-${ulid.slice(-ULID_ENDING_CHARACTERS).toLowerCase()}`;
}

/** The slug with a number appended, for a taken title: `november-surge-2`. */
export function numberSlug(slug: string, number: number): string {
  const ending = `-${number}`;
  return `${slug.slice(0, SLUG_CHARACTERS - ending.length).replace(/-$/, "")}${ending}`;
}

function hyphenate(text: string, maxCharacters: number): string {
  const ascii = text
    .slice(0, 1000)
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/['’]/g, "")
    .replace(/[^\u0000-\u007f]/gu, (letter) => FOLDED[letter] ?? " ")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  if (ascii.length <= maxCharacters) return ascii;
  const start = ascii.slice(0, maxCharacters + 1);
  const wordEnd = start.lastIndexOf("-");
  return wordEnd > 0 ? start.slice(0, wordEnd) : start.slice(0, maxCharacters);
}
