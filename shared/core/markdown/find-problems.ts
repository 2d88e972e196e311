import type { Token } from "markdown-it";
import { type DrawingBlock, findDrawingBlocks } from "./drawing-blocks.ts";
import { findDrawingFaults } from "./find-drawing-faults.ts";
import { judgeHref } from "./links.ts";
import { hrefOf, MAX_NESTING } from "./parse.ts";
import type { ParsedMarkdown } from "./parsed.ts";
import { offsetsOf } from "./positions.ts";

/** One reason why a text may not be stored; `message` names the line itself. */
export interface MarkdownProblem {
  /** Counted from 1 in the text as sent. */
  line: number;
  message: string;
}

const DRAWINGS_PER_TEXT = 20;

const RAW_HTML = "raw HTML is not accepted; if it is code, put it in backticks, as in `List<String>`.";

const IMAGE = "images are not accepted; link to the picture instead, as in [label](address).";

const SCHEME =
  "a link to javascript:, vbscript:, data: or file: is not accepted; use https:, http:, mailto: or a relative address.";

const TOO_DEEP = `lists, quotes or footnotes are nested more than ${MAX_NESTING - 1} levels deep (a list counts two); flatten them.`;

const CONTAINERS = new Set(["blockquote_open", "list_item_open", "footnote_reference_open"]);

/** Every problem of a text in the order of its lines; none: it may be stored and shown. */
export function findMarkdownProblems(parsed: ParsedMarkdown): MarkdownProblem[] {
  const problems = new Map<string, MarkdownProblem>();
  const report = (line: number, reason: string, subject = `Line ${line}`): void => {
    const message = `${subject}: ${reason}`;
    problems.set(message, { line, message });
  };
  let line = 1;
  for (const token of parsed.written) {
    if (token.map !== null) line = token.map[0] + 1;
    if (token.type === "inline") checkInline(token, line, parsed, report);
    else checkBlock(token, line, parsed, report);
  }
  checkDrawings(findDrawingBlocks(parsed), report);
  return [...problems.values()].sort((left, right) => left.line - right.line);
}

type Report = (line: number, reason: string, subject?: string) => void;

function checkBlock(token: Token, line: number, parsed: ParsedMarkdown, report: Report): void {
  if (token.type === "html_block") report(line, RAW_HTML);
  else if (token.type === "reference_definition") {
    const href = parsed.env.references?.[String(token.meta?.label)]?.href ?? "";
    if (judgeHref(href) === "refused") report(line, SCHEME);
  } else if (CONTAINERS.has(token.type) && token.level + 1 >= MAX_NESTING) report(line, TOO_DEEP);
}

function checkInline(block: Token, firstLine: number, parsed: ParsedMarkdown, report: Report): void {
  const offsets = offsetsOf(parsed.env);
  let line = firstLine;
  let counted = 0;
  for (const token of block.children ?? []) {
    const reason = reasonAgainst(token);
    if (reason === null) continue;
    const offset = offsets.get(token) ?? counted;
    for (; counted < offset; counted++) if (block.content.charCodeAt(counted) === 10) line++;
    report(line, reason);
  }
}

function reasonAgainst(token: Token): string | null {
  if (token.type === "html_inline") return RAW_HTML;
  if (token.type === "image") return IMAGE;
  if (token.type === "link_open" && judgeHref(hrefOf(token)) === "refused") return SCHEME;
  return null;
}

function checkDrawings(blocks: DrawingBlock[], report: Report): void {
  for (const block of blocks.slice(0, DRAWINGS_PER_TEXT)) {
    for (const { line, reason } of findDrawingFaults(block)) {
      report(line, reason, `${block.kind} ${block.number} (line ${line})`);
    }
  }
  const surplus = blocks[DRAWINGS_PER_TEXT];
  if (surplus !== undefined) {
    report(
      surplus.line,
      `a text may hold ${DRAWINGS_PER_TEXT} charts and flowcharts together; this one holds ${blocks.length}.`,
    );
  }
}
