import type { Token } from "markdown-it";
import type { ParsedMarkdown } from "./parsed.ts";

const DRAWINGS = /^(?:chart|mermaid)$/i;

/** The words of inline tokens without their marks; line breaks become blanks. */
export function inlineText(children: readonly Token[]): string {
  let text = "";
  for (const token of children) {
    if (token.type === "softbreak" || token.type === "hardbreak") text += " ";
    else if (token.type === "image") text += inlineText(token.children ?? []);
    else text += token.content;
  }
  return text;
}

/** The text as a reader would say it: one line a block, cells and words without marks, drawings left out. */
export function plainTextOfMarkdown(parsed: ParsedMarkdown): string {
  const lines: string[] = [];
  let row: string[] | null = null;
  for (const token of parsed.shown) {
    if (token.type === "tr_open") row = [];
    else if (token.type === "tr_close") {
      lines.push((row ?? []).join(" | "));
      row = null;
    } else {
      const text = blockText(token);
      if (text !== null) (row ?? lines).push(text);
    }
  }
  return lines.filter((line) => line !== "").join("\n");
}

function blockText(token: Token): string | null {
  if (token.type === "inline") return inlineText(token.children ?? []).trim();
  if (token.type === "fence") return isDrawing(token) ? null : token.content.trimEnd();
  if (token.type === "code_block" || token.type === "html_block") return token.content.trimEnd();
  return null;
}

/** Whether a fence holds a chart or a flowchart: the first word of its info string, in any case. */
export function isDrawing(fence: Token): boolean {
  return DRAWINGS.test(firstWord(fence.info));
}

/** The first word of a fence's info string, or an empty text. */
export function firstWord(info: string): string {
  return info.trim().split(/\s/, 1)[0] ?? "";
}
