import type { Token } from "markdown-it";
import { findNumerals, hideDates, type Numeral } from "../numbers/numerals.ts";
import { offsetsOf } from "./parse.ts";
import type { ParsedMarkdown } from "./plain-text.ts";

/** What readers see of a text. */
export interface SeenText {
  /**
   * The words of the blocks with digits, a line feed where a line of Markdown ends. Of code, addresses and dates letters
   * and digits are `_`, which no number touches.
   */
  words: string;
  /** The numbers in the words. */
  numerals: Numeral[];
  /** The lines of the Markdown: of each where it begins in the words, and its number from 1. */
  lines: { at: number; line: number }[];
}

/** Parts two blocks: nothing reaches from one into the other. */
const BETWEEN = "\n\ufffc\n";

/** What readers see of a text, its footnotes last. Numbers in headings do not count by themselves. */
export function seeText(parsed: ParsedMarkdown): SeenText {
  const numerals: SeenText["numerals"] = [];
  const lines: SeenText["lines"] = [];
  let words = "";
  let line = 1;
  for (const [index, token] of parsed.shown.entries()) {
    if (token.map !== null) line = token.map[0] + 1;
    if (token.type !== "inline") continue;
    const seen = seeTokens(token.children ?? []);
    const block = joinSeen(seen);
    if (!/\d/.test(block)) continue;
    const isHeading = parsed.shown[index - 1]?.type === "heading_open";
    const before = words.length;
    for (const { start, end, counts } of findNumerals(block))
      numerals.push({ start: before + start, end: before + end, counts: counts && !isHeading });
    for (const start of findLines(token, seen, line, parsed)) lines.push({ ...start, at: before + start.at });
    words += block + BETWEEN;
  }
  return { words, numerals, lines };
}

/** The words of a block in which the digits of dates are `_`. */
export function joinSeen(seen: readonly string[]): string {
  return hideDates(seen.join(""));
}

/** What readers see of each token of a block; the mark of a footnote parts what stands around it. */
export function seeTokens(children: readonly Token[]): string[] {
  let isAddress = false;
  return children.map((token, index) => {
    if (token.type === "link_open") isAddress = opensAddress(token, children[index + 1]);
    else if (token.type === "link_close") isAddress = false;
    else if (isBreak(token)) return "\n";
    else if (token.type === "footnote_ref") return "\ufffc";
    return isAddress || token.type !== "text" ? hideWords(token.content) : token.content;
  });
}

/** Whether a token ends a line, in the Markdown or for readers too. */
export function isBreak({ type }: Token): boolean {
  return type === "softbreak" || type === "hardbreak";
}

function opensAddress(link: Token, first: Token | undefined): boolean {
  return link.info === "auto" || first?.content.includes("://") === true;
}

function hideWords(text: string): string {
  return text.replace(/[\p{L}\p{Nd}]/gu, (letter) => "_".repeat(letter.length));
}

/**
 * Where lines of the Markdown begin in the words of a block. They are counted in the Markdown: code and addresses may have
 * line ends that readers do not see.
 */
function findLines(block: Token, seen: readonly string[], first: number, { env }: ParsedMarkdown) {
  const starts = [{ at: 0, line: first }];
  if (!block.content.includes("\n")) return starts;
  const offsets = offsetsOf(env);
  let [at, line, counted] = [0, first, 0];
  for (const [index, token] of (block.children ?? []).entries()) {
    const known = offsets.get(token) ?? 0;
    const offset = isBreak(token) ? block.content.indexOf("\n", known) + 1 : known;
    const before = line;
    for (; counted < offset; counted++) if (block.content.charCodeAt(counted) === 10) line++;
    const end = at + (seen[index]?.length ?? 0);
    if (line > before) starts.push({ at: isBreak(token) ? end : at, line });
    at = end;
  }
  return starts;
}
