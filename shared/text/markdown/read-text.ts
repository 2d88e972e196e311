import { countCodePoints } from "../../ground/text.ts";
import { type DrawingBlock, findDrawingBlocks, findUndrawnFences } from "./drawing-blocks.ts";
import { findMarkdownProblems, findUndrawnTables } from "./find-problems.ts";
import { parseMarkdown } from "./parse.ts";
import { plainTextOfMarkdown } from "./plain-text.ts";
import { type SeenText, seeText } from "./seen-text.ts";

/** What one parse of a text tells. */
export interface ReadText {
  /** Why it may not be stored, where its charts may have their rows from files: sentences, or ends of sentences. */
  faults: string[];
  /** The lines of tables that are shown as text. */
  undrawnTables: number[];
  /** The lines of fences that are shown as code, and were meant as drawings. */
  undrawnFences: number[];
  /** Its charts and flowcharts. */
  blocks: DrawingBlock[];
  /** The text as a reader would say it. */
  plain: string;
  /** Its words with digits, in which numbers are counted and figures found. */
  seen: SeenText;
}

/** A text of more characters takes an event loop too long: the densest of 100,000 takes half a second. */
const READ_AT_ONCE_CHARACTERS = 5_000;

/** Whether a text is short enough to be read on an event loop; a longer one is read in a thread. */
export function isReadAtOnce(markdown: string): boolean {
  const { length } = markdown;
  if (length <= READ_AT_ONCE_CHARACTERS) return true;
  return length <= 2 * READ_AT_ONCE_CHARACTERS && countCodePoints(markdown) <= READ_AT_ONCE_CHARACTERS;
}

/** The most places in one text that a refusal lists; a hostile text has tens of thousands. */
const PROBLEMS_SHOWN = 50;

/** Reads a text for all who ask something of it. With `takesSources` its charts may have their rows from files. */
export function readText(markdown: string, takesSources = true): ReadText {
  const parsed = parseMarkdown(markdown);
  const problems = findMarkdownProblems(parsed, takesSources);
  const faults = problems.slice(0, PROBLEMS_SHOWN).map(({ message }) => message);
  const hidden = problems.length - PROBLEMS_SHOWN;
  if (hidden > 0) faults.push(`has ${hidden} more problems of these kinds further down`);
  return {
    faults,
    undrawnTables: findUndrawnTables(parsed),
    undrawnFences: findUndrawnFences(parsed),
    blocks: findDrawingBlocks(parsed),
    plain: plainTextOfMarkdown(parsed),
    seen: seeText(parsed),
  };
}
