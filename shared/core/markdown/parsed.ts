import type { StateCore, Token } from "markdown-it";

/** A Markdown text parsed once: what is checked and what is shown are the same tokens. */
export interface ParsedMarkdown {
  /** Every block in the order written, with reference and footnote definitions in their places. */
  readonly written: readonly Token[];
  /** What a reader sees: footnotes gathered at the end. */
  readonly shown: Token[];
  readonly env: MarkdownEnv;
}

/** What markdown-it and our rules share about one parse. */
export type MarkdownEnv = StateCore["env"];
