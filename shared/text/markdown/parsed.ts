import type { StateCore, Token } from "markdown-it";

/** A Markdown text parsed once: the service checks and shows the same tokens. */
export interface ParsedMarkdown {
  /** Every block in the order written, with reference and footnote definitions in their places. */
  readonly written: readonly Token[];
  /** The text as readers see it, with footnotes at the end. */
  readonly shown: Token[];
  readonly env: MarkdownEnv;
}

/** The data of one parse that markdown-it and our rules share. */
export type MarkdownEnv = StateCore["env"];
