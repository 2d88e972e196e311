import { shortenText } from "../../ground/text.ts";
import { parseMarkdown } from "./parse.ts";
import { plainTextOfMarkdown } from "./plain-text.ts";

/**
 * The start of a text in plain words on one line, at most `characters` long; empty where there are no words.
 */
export function readOpening(markdown: string, characters: number): string {
  return cutOpening(plainTextOfMarkdown(parseMarkdown(markdown)), characters);
}

/** The start of plain words, on one line. */
export function cutOpening(plain: string, characters: number): string {
  return shortenText(plain.replace(/\s+/g, " ").trim(), characters);
}
