import { findDrawingBlocks } from "./drawing-blocks.ts";
import { markTexts } from "./mark-texts.ts";
import { parseMarkdown } from "./parse.ts";
import { type CheckedFigure, renderChecked, renderMarkdown } from "./render.ts";

/** A text with its place on a page. */
export interface BodyTask {
  markdown: string;
  /** Separates the ids of several texts on one page. */
  idPrefix: string;
  /** The level of the text's outermost headings. */
  topHeading: number;
  /** The address of its own page. */
  page: string;
  /** Its drawings by block ("Chart 1"). */
  figures: ReadonlyMap<string, string>;
  /** The figures of the text that the data bear out, which are listed below it. */
  checked: readonly CheckedFigure[];
}

/** The safe HTML of a text, its checked figures marked, and what the data say of them below it. */
export function renderText({ markdown, checked, ...place }: BodyTask): string {
  const parsed = parseMarkdown(markdown);
  // Names each block, by which its figure is found.
  findDrawingBlocks(parsed);
  if (checked.length === 0) return renderMarkdown(parsed, place);
  const texts = checked.map(({ text }) => text);
  const uses = markTexts(parsed.shown, texts);
  const { idPrefix, topHeading: rank } = place;
  return renderMarkdown(parsed, place) + renderChecked(checked, { idPrefix, uses, rank });
}
