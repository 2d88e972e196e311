import { foldForSearch } from "./fold.ts";
import { listWords } from "./lexemes.ts";

/** The parts of a search: distinct folded words, phrases of two and more words, and what may be a column's name. */
export interface QueryTerms {
  words: string[];
  phrases: string[];
  columns: string[];
}

/** Reads a query: words in double quotes are one phrase. Words and phrases together count up to `most`. */
export function readTerms(text: string, most: number): QueryTerms {
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
