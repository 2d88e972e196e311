import type { ParsedMarkdown } from "./parsed.ts";
import { firstWord, isDrawing } from "./plain-text.ts";

/** One `chart` or `mermaid` block, numbered among its own kind. */
export interface DrawingBlock {
  kind: "Chart" | "Flowchart";
  number: number;
  line: number;
  source: string;
}

/** The chart and flowchart blocks of a text in the order written. */
export function findDrawingBlocks(parsed: ParsedMarkdown): DrawingBlock[] {
  const blocks: DrawingBlock[] = [];
  const counts = { Chart: 0, Flowchart: 0 };
  for (const token of parsed.written) {
    if (token.type !== "fence" || !isDrawing(token)) continue;
    const kind = firstWord(token.info).toLowerCase() === "chart" ? "Chart" : "Flowchart";
    counts[kind]++;
    // The renderer finds a block's figure by this name, wherever its token is shown.
    token.meta = { ...token.meta, drawing: `${kind} ${counts[kind]}` };
    blocks.push({ kind, number: counts[kind], line: (token.map?.[0] ?? 0) + 1, source: token.content });
  }
  return blocks;
}
