import { LRUCache } from "lru-cache";
import { sha256 } from "../../ground/checksum.ts";
import { type Drawable, readChart } from "../../text/drawing/draw-block.ts";
import type { Chart } from "../../text/markdown/charts/chart.ts";
import { type DrawingBlock, findDrawingBlocks } from "../../text/markdown/drawing-blocks.ts";
import { parseMarkdown } from "../../text/markdown/parse.ts";

/** A chart of a text. */
export interface TextChart {
  /** Its number among the text's charts, from 1. */
  number: number;
  title: string | null;
  /** How many rows it draws. */
  rows: number;
}

const NONE: readonly TextChart[] = [];

// The charts of a text depend only on the text, so they never go stale. An entry has twenty charts at most.
const cached = new LRUCache<string, readonly TextChart[]>({ max: 2_000 });

/** The charts of a Markdown text that was accepted on save, all with rows of their own. */
export function listCharts(markdown: string): readonly TextChart[] {
  if (!mayHoldCharts(markdown)) return NONE;
  const key = sha256(markdown);
  const known = cached.get(key);
  if (known !== undefined) return known;
  const charts = findChartBlocks(markdown).flatMap((block) => {
    const chart = readChart(block);
    return chart === null ? [] : [toTextChart(block.number, chart)];
  });
  cached.set(key, charts);
  return charts;
}

/** The block of a chart by its number among the text's charts; null where the text has no such chart. */
export function findChartBlock(markdown: string, number: number): Drawable | null {
  if (!mayHoldCharts(markdown)) return null;
  const block = findChartBlocks(markdown).find((one) => one.number === number);
  return block === undefined ? null : { kind: block.kind, number, source: block.source };
}

/** What is told of a chart by its number. */
export function toTextChart(number: number, { title, rows }: Chart): TextChart {
  return { number, title, rows: rows.length };
}

/** Whether a text may hold charts: most have none, and need not be parsed to tell so. */
export function mayHoldCharts(markdown: string): boolean {
  return /chart/i.test(markdown);
}

function findChartBlocks(markdown: string): DrawingBlock[] {
  return findDrawingBlocks(parseMarkdown(markdown)).filter(({ kind }) => kind === "Chart");
}
