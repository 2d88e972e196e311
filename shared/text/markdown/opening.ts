import { shortenText } from "../../ground/text.ts";
import { parseMarkdown } from "./parse.ts";
import { plainTextOfMarkdown } from "./plain-text.ts";

/**
 * The start of a text in plain words on one line, at most `characters` long; empty where there are no words.
 */
export function readOpening(markdown: string, characters: number): string {
  const text = plainTextOfMarkdown(parseMarkdown(markdown)).replace(/\s+/g, " ").trim();
  return shortenText(text, characters);
}
