import type { Token } from "markdown-it";
import type { MarkdownEnv } from "./parse.ts";

/** A Markdown text parsed once: what is checked and what is shown are the same tokens. */
export interface ParsedMarkdown {
  /** Every block in the order written, with reference and footnote definitions in their places. */
  readonly written: readonly Token[];
  /** What a reader sees: footnotes gathered at the end. */
  readonly shown: Token[];
  readonly env: MarkdownEnv;
}
