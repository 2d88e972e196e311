import { takeCodePoints } from "../../ground/text.ts";

/** The field of a word; `any` holds the words of the other two as well. */
type Field = keyof typeof MARKS;

/** The first letter of a word in the index. */
const MARKS = { title: "t", summary: "s", any: "a" } as const;
const TOPIC_MARK = "#";
const COLUMN_MARK = "c";

/** Longer words are cut, in texts and queries alike; PostgreSQL takes 2,046 bytes. */
const WORD_CHARACTERS = 60;
/**
 * The search finds words of up to this many characters at the start of others without walking through all of
 * those: the commonest words are short.
 */
const SHORT_CHARACTERS = 3;
/** PostgreSQL takes a megabyte of distinct words; only a table of many thousand columns comes near. */
const MOST_BYTES = 600_000;

/** The distinct words of a text, folded. */
export function listWords(text: string): string[] {
  const words = foldForSearch(text)
    .split(" ")
    .filter((word) => word !== "");
  return [...new Set(words.map(cutWord))];
}

/** A folded word as the index has it. */
export function cutWord(word: string): string {
  return takeCodePoints(word, WORD_CHARACTERS);
}

/** The index's entry of a work or an agent: words by field, and the ids of topics. */
export function listLexemes(texts: {
  title: string;
  summary: string;
  others: string;
  topicIds?: string[];
  /** The names of columns, which are found as a whole too. */
  columns?: string[];
}): string[] {
  const title = listWords(texts.title);
  const summary = listWords(texts.summary);
  const all = new Set([...title, ...summary, ...listWords(texts.others)]);
  const lexemes = new Set((texts.topicIds ?? []).map(topicLexeme));
  addColumns(lexemes, texts.columns ?? []);
  for (const [field, words] of [["title", title] as const, ["summary", summary] as const]) {
    addWords(lexemes, MARKS[field], words);
  }
  addWords(lexemes, MARKS.any, all);
  return [...lexemes];
}

function addColumns(lexemes: Set<string>, names: readonly string[]): void {
  let bytes = 0;
  for (const name of names) {
    const lexeme = columnLexeme(name);
    bytes += Buffer.byteLength(lexeme);
    if (bytes > MOST_BYTES / (Object.keys(MARKS).length + 1)) return;
    if (lexeme !== COLUMN_MARK) lexemes.add(lexeme);
  }
}

function columnLexeme(name: string): string {
  return COLUMN_MARK + cutWord(foldForSearch(name));
}

/** A tsquery for the datasets with a column of one of these names, or null for names without a letter or digit. */
export function columnQuery(names: readonly string[]): string | null {
  const lexemes = names.map(columnLexeme).filter((lexeme) => lexeme !== COLUMN_MARK);
  return lexemes.length === 0 ? null : lexemes.map((lexeme) => `'${lexeme}'`).join(" | ");
}

/** The lines that phrases are looked for in, folded, each between blanks: title, summary, then each of the others. */
export function foldLines(title: string, summary: string, others: readonly string[]): string {
  const lines = [title, summary, ...others].map((line) => ` ${foldForSearch(line)} `);
  return lines.filter((line, place) => place < 2 || line.trim() !== "").join("\n");
}

function addWords(lexemes: Set<string>, mark: string, words: Iterable<string>): void {
  let bytes = 0;
  for (const word of words) {
    bytes += Buffer.byteLength(word) + 1;
    if (bytes > MOST_BYTES / (Object.keys(MARKS).length + 1)) return;
    lexemes.add(mark + word);
    const characters = [...word.slice(0, SHORT_CHARACTERS * 2)].slice(0, SHORT_CHARACTERS);
    for (let length = 1; length <= characters.length; length++) {
      lexemes.add(mark + characters.slice(0, length).join(""));
    }
  }
}

/** A tsquery for a folded word in a field: the word itself or any word that begins with it. */
export function wordQuery(field: Field, word: string): string {
  // Only letters and digits are left in a word, so nothing in it can be an operator.
  const isShort = [...word].length <= SHORT_CHARACTERS;
  return isShort ? `'${MARKS[field]}${word}'` : `'${MARKS[field]}${word}':*`;
}

/** A tsquery for the works and agents of a topic. */
export function topicQuery(topicId: string): string {
  return `'${topicLexeme(topicId)}'`;
}

function topicLexeme(topicId: string): string {
  return TOPIC_MARK + topicId.toLowerCase();
}

/** Whether a word is one of a text's words, or the start of one. */
export function beginsWordOf(word: string, text: string): boolean {
  return listWords(text).some((candidate) => candidate.startsWith(word));
}

/** A text as search compares it: case, accents and compatibility forms folded, every run of anything else a blank. */
export function foldForSearch(text: string): string {
  return (
    separateWords(text)
      .normalize("NFKD")
      .replace(/\p{M}+/gu, "")
      // Upper case first: it knows that ß is SS, and that the three sigmas are one letter.
      .toUpperCase()
      .toLowerCase()
      .replace(/[æðđıłøœςþ]/g, (letter) => WITHOUT_MARK[letter] ?? letter)
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim()
  );
}

/** Letters that readers without their keyboard write otherwise, and that Unicode does not take apart. */
export const WITHOUT_MARK: Readonly<Record<string, string>> = {
  æ: "ae",
  ð: "d",
  đ: "d",
  ı: "i",
  ł: "l",
  ø: "o",
  œ: "oe",
  ς: "σ",
  þ: "th",
};

const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu;
/** Made for the first text that needs it: it reads Unicode's dictionaries. */
let segmenter: Intl.Segmenter | null = null;

/** Scripts that are written without blanks get them, by the dictionary that Unicode's segmentation brings. */
function separateWords(text: string): string {
  return text.replace(UNSPACED, (run) => {
    segmenter ??= new Intl.Segmenter("en", { granularity: "word" });
    const words = Array.from(segmenter.segment(run), ({ segment }) => segment);
    return ` ${words.join(" ")} `;
  });
}

/** The parts of a search: distinct folded words, phrases of two and more words, and what may be a column's name. */
export type QueryTerms = ReturnType<typeof readTerms>;

/** Reads a query: words in double quotes are one phrase. Words and phrases together count up to `most`. */
export function readTerms(text: string, most: number) {
  const phrases = new Set<string>();
  const columns = new Set(text.replaceAll('"', " ").split(/\s+/));
  // A quote without its end is none.
  const rest = text.replace(/"([^"]*)"/g, (_, inside: string) => {
    const phrase = foldForSearch(inside);
    columns.add(inside);
    if (!phrase.includes(" ")) return ` ${inside} `;
    phrases.add(phrase);
    return " ";
  });
  const kept = [...phrases].slice(0, most);
  return {
    words: listWords(rest).slice(0, most - kept.length),
    phrases: kept,
    columns: [...columns].filter((name) => foldForSearch(name) !== "").slice(0, most),
  };
}
