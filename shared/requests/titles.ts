import type { CreationType } from "../ground/creation-types.ts";
import { countCodePoints, findSingleLineFault, removeUnseen, takeCodePoints } from "../ground/text.ts";
import { parseMarkdown } from "../text/markdown/parse.ts";
import { plainTextOfMarkdown } from "../text/markdown/plain-text.ts";
import { WITHOUT_MARK } from "../text/search/lexemes.ts";
import type { Payload } from "./payloads.ts";

const BRIEF_TITLE_CHARACTERS = 80;

/** The title of a creation; a brief's is the start of its text (contract.md section 7 row 11). */
export function titleOf(_type: CreationType, payload: Payload): string {
  return "title" in payload ? payload.title : briefTitle(payload.body_markdown);
}

function briefTitle(markdown: string): string {
  const text = oneLine(plainTextOfMarkdown(parseMarkdown(markdown)));
  if (text === "") return "Brief"; // a rule or an empty list is a text without a word
  if (countCodePoints(text) <= BRIEF_TITLE_CHARACTERS) return text;
  const start = takeCodePoints(text, BRIEF_TITLE_CHARACTERS + 1);
  const wordEnd = start.lastIndexOf(" ");
  return `${wordEnd > 0 ? start.slice(0, wordEnd) : takeCodePoints(text, BRIEF_TITLE_CHARACTERS)}…`;
}

/** Texts may hold disguising and control characters, and nothing that can be seen; titles may not. */
function oneLine(text: string): string {
  const folded = text.replace(/\s+/g, " ").trim();
  if (findSingleLineFault(folded) === null) return folded;
  const seen = removeUnseen(folded.replace(/[\p{Cc}\p{Cs}]/gu, "")).trim();
  return findSingleLineFault(seen) === null ? seen : "";
}

const SLUG_CHARACTERS = 80;
const BRIEF_WORDS_CHARACTERS = 60;
const ULID_ENDING_CHARACTERS = 6;

// Letters that have no decomposition into a base letter and marks.
const FOLDED: Readonly<Record<string, string>> = { ...WITHOUT_MARK, ß: "ss", ħ: "h", ŋ: "n" };

/** Whether nothing of a title can stand in a slug. */
export const isUntitled = (title: string): boolean => hyphenate(title, SLUG_CHARACTERS) === "";

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
