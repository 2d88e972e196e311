import { parseMarkdown } from "../markdown/parse.ts";
import { plainTextOfMarkdown } from "../markdown/plain-text.ts";
import { foldLines, listLexemes } from "./lexemes.ts";

/** What search finds a work by. */
export interface WorkTexts {
  title: string;
  summary: string;
  /** The work's Markdown text; empty where it has none. */
  markdown: string;
  others: readonly string[];
  columns: string[];
}

/** The words of a work, and its lines as phrases are looked for in them. */
export function indexText({ title, summary, markdown, others, columns }: WorkTexts) {
  const text = plainTextOfMarkdown(parseMarkdown(markdown));
  const words = listLexemes({ title, summary, others: [text, ...others].join("\n"), columns });
  return { words, folded: foldLines(title, summary, [...text.split("\n"), ...others]) };
}
