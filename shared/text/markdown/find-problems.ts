import type { Token } from "markdown-it";
import { checkDrawing, type DrawingBlock, findDrawingBlocks } from "./drawing-blocks.ts";
import { judgeHref } from "./links.ts";
import { hrefOf, MAX_NESTING, offsetsOf } from "./parse.ts";
import type { ParsedMarkdown } from "./plain-text.ts";

/** One reason why a text may not be stored; `message` names the line itself. */
interface MarkdownProblem {
  /** Counted from 1 in the text as sent. */
  line: number;
  message: string;
}

/** Charts and flowcharts of one text. */
export const DRAWINGS_PER_TEXT = 20;

/** Blocks, cells, links and footnote marks of one text: each takes time to read and room on the page. */
const PARTS_PER_TEXT = 20_000;

// The densest flowchart there can be takes 2,548 passes, and a quarter of a second to lay out: 40,000 take four to
// five seconds. Twenty flowcharts of full size whose connections lead anywhere take 18,000 together.
const PASSES_PER_TEXT = 40_000;

const RAW_HTML = "raw HTML is not accepted; if it is code, put it in backticks, as in `List<String>`.";

const IMAGE = "images are not accepted; link to the picture instead, as in [label](address).";

const SCHEME =
  "a link to javascript:, vbscript:, data: or file: is not accepted; use https:, http:, mailto: or a relative address.";

const TOO_DEEP = `lists, quotes or footnotes are nested more than ${MAX_NESTING - 1} levels deep (a list counts two); flatten them.`;

const CONTAINERS = new Set(["blockquote_open", "list_item_open", "footnote_reference_open"]);

/**
 * Every problem of a text in the order of its lines; none: it may be stored and shown. With `takesSources` its charts
 * may have their rows from files, which are asked later.
 */
export function findMarkdownProblems(parsed: ParsedMarkdown, takesSources = false): MarkdownProblem[] {
  const problems = new Map<string, MarkdownProblem>();
  const report = (line: number, reason: string, subject = `Line ${line}`): void => {
    const message = `${subject}: ${reason}`;
    problems.set(message, { line, message });
  };
  /** The line of each part. */
  const parts: number[] = [];
  let line = 1;
  for (const token of parsed.written) {
    if (token.map !== null) line = token.map[0] + 1;
    if (token.type !== "inline" && isPart(token)) parts.push(line);
    if (token.type === "inline") checkInline(token, line, parsed, report, parts);
    else checkBlock(token, line, parsed, report);
  }
  const surplus = parts[PARTS_PER_TEXT];
  if (surplus !== undefined) report(surplus, tooManyParts(parts.length));
  checkDrawings(parsed, takesSources, report);
  return [...problems.values()].sort((left, right) => left.line - right.line);
}

const DELIMITERS = /^[ |:-]+$/;

/** The line of each table that is shown as text, as its second row has another number of cells than its first. */
export function findUndrawnTables({ written }: ParsedMarkdown): number[] {
  return written.flatMap(({ type, map, content }) => {
    if (type !== "inline" || map === null || !content.includes("|")) return [];
    const lines = content.split("\n");
    return lines.flatMap((line, at) => {
      const isSecond = line.includes("|") && line.includes("-") && DELIMITERS.test(line);
      const isTable = isSecond && lines[at - 1]?.includes("|");
      return isTable ? [map[0] + at] : [];
    });
  });
}

type Report = (line: number, reason: string, subject?: string) => void;

// The frame of a table, and the paragraphs of a tight list, are parts of what stands in them.
const FRAMES = new Set(["thead_open", "tbody_open", "tr_open"]);
const OTHER_PARTS = new Set(["link_open", "footnote_ref", "footnote_reference_open"]);

function isPart({ type, nesting, hidden, block }: Token): boolean {
  return OTHER_PARTS.has(type) || (block && nesting >= 0 && !hidden && !FRAMES.has(type));
}

function checkBlock(token: Token, line: number, parsed: ParsedMarkdown, report: Report): void {
  if (token.type === "html_block") report(line, RAW_HTML);
  else if (token.type === "reference_definition") {
    const href = parsed.env.references?.[String(token.meta?.label)]?.href ?? "";
    if (judgeHref(href) === "refused") report(line, SCHEME);
  } else if (CONTAINERS.has(token.type) && token.level + 1 >= MAX_NESTING) report(line, TOO_DEEP);
}

function checkInline(
  block: Token,
  firstLine: number,
  parsed: ParsedMarkdown,
  report: Report,
  parts: number[],
): void {
  const offsets = offsetsOf(parsed.env);
  let line = firstLine;
  let counted = 0;
  for (const token of block.children ?? []) {
    const [reason, isCounted] = [reasonAgainst(token), isPart(token)];
    if (reason === null && !isCounted) continue;
    const offset = offsets.get(token) ?? counted;
    for (; counted < offset; counted++) if (block.content.charCodeAt(counted) === 10) line++;
    if (isCounted) parts.push(line);
    if (reason !== null) report(line, reason);
  }
}

function reasonAgainst(token: Token): string | null {
  if (token.type === "html_inline") return RAW_HTML;
  if (token.type === "image") return IMAGE;
  if (token.type === "link_open" && judgeHref(hrefOf(token)) === "refused") return SCHEME;
  return null;
}

/** A block as refusals name it: by its number among its kind and a line of the text. */
export function nameBlock({ kind, number, line }: DrawingBlock, at = line): string {
  return `${kind} ${number} (line ${at})`;
}

const UNCLOSED =
  "its fence is never closed, so what follows is read as part of it; close it with the marks that open it, such as ```, on a line of its own.";

function checkDrawings(parsed: ParsedMarkdown, takesSources: boolean, report: Report): void {
  const blocks = findDrawingBlocks(parsed);
  const openLines = new Set(parsed.written.filter(isOpenFence).map(({ map }) => (map?.[0] ?? 0) + 1));
  let passes = 0;
  for (const block of blocks.slice(0, DRAWINGS_PER_TEXT)) {
    const check = checkDrawing(block, takesSources);
    if (check.faults.length > 0 && openLines.has(block.line)) report(block.line, UNCLOSED, nameBlock(block));
    for (const { line, reason } of check.faults) {
      report(line, reason, nameBlock(block, line));
    }
    const isFirstTooMuch = passes <= PASSES_PER_TEXT && passes + check.passes > PASSES_PER_TEXT;
    passes += check.passes;
    if (isFirstTooMuch) report(block.line, tooDense(passes), nameBlock(block));
  }
  const surplus = blocks[DRAWINGS_PER_TEXT];
  if (surplus !== undefined) {
    report(
      surplus.line,
      `a text may hold ${DRAWINGS_PER_TEXT} charts and flowcharts together; this one holds ${blocks.length}.`,
    );
  }
}

/** Whether no line closes a fence: it has its first line and its content alone. */
function isOpenFence({ type, map, content }: Token): boolean {
  if (type !== "fence" || map === null) return false;
  const lines = content === "" ? 0 : content.replace(/\n$/, "").split("\n").length;
  return map[1] - map[0] < lines + 2;
}

function tooDense(passes: number): string {
  return `with this one the connections of the text's flowcharts lead down ${passes} ranks in total; ${PASSES_PER_TEXT} is the most. Remove connections that lead past many nodes, or move flowcharts to another text.`;
}

function tooManyParts(count: number): string {
  return `a text may hold ${PARTS_PER_TEXT} blocks, table cells, links and footnote marks together; this one holds ${count}. Shorten it, or put the table into a dataset.`;
}

const PLACE = /^(?:(?:Chart|Flowchart) (\d{1,7})(?: \(line (\d{1,7})\))?|Line (\d{1,7})): /;

/**
 * The place that a sentence begins with, as `findMarkdownProblems` and `nameBlock` write it: its line, and the number of a
 * chart among the charts or of a flowchart among the flowcharts.
 */
export function readPlace(sentence: string): { line: number | null; block: number | null } {
  const [, block, lineOfBlock, line = lineOfBlock] = PLACE.exec(sentence) ?? [];
  return { line: toNumber(line), block: toNumber(block) };
}

function toNumber(digits: string | undefined): number | null {
  return digits === undefined ? null : Number(digits);
}
