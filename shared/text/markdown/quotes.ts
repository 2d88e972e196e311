import type { StateBlock } from "markdown-it";

/** A line as it stood before a quote took it. */
type OldLine = [line: number, bMark: number, tShift: number, sCount: number, bsCount: number];

const GREATER_THAN = 0x3e;
const SPACE = 0x20;
const TAB = 0x09;

/**
 * markdown-it's rule for quotes, with one look at lazy lines. Its own rule asks every other rule about every lazy
 * line again in each of up to 31 nested quotes, and notes the line down each time: 100,000 characters took half a
 * second. A lazy line has the indentation -1 from the second level on, so all deeper levels get the same answer.
 */
export function readQuote(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (indentOf(state, startLine) - state.blkIndent >= 4) return false;
  if (state.src.charCodeAt(textStart(state, startLine)) !== GREATER_THAN) return false;
  if (silent) return true;
  const { lineMax, parentType, blkIndent } = state;
  state.parentType = "blockquote";
  const old: OldLine[] = [];
  const end = takeLines(state, startLine, endLine, old);
  state.blkIndent = 0;
  const open = state.push("blockquote_open", "blockquote", 1);
  open.markup = ">";
  state.md.block.tokenize(state, startLine, end);
  state.push("blockquote_close", "blockquote", -1).markup = ">";
  open.map = [startLine, state.line];
  Object.assign(state, { lineMax, parentType, blkIndent });
  for (const [line, bMark, tShift, sCount, bsCount] of old) {
    state.bMarks[line] = bMark;
    state.tShift[line] = tShift;
    state.sCount[line] = sCount;
    state.bsCount[line] = bsCount;
  }
  return true;
}

/** Takes the marks off the lines of a quote and marks its lazy lines; gives the line behind the last one. */
function takeLines(state: StateBlock, startLine: number, endLine: number, old: OldLine[]): number {
  let isEmpty = false;
  for (let line = startLine; line < endLine; line++) {
    const indent = indentOf(state, line);
    const start = textStart(state, line);
    if (start >= (state.eMarks[line] ?? 0)) return line;
    if (state.src.charCodeAt(start) === GREATER_THAN && indent >= state.blkIndent) {
      old.push(keepLine(state, line));
      isEmpty = takeMark(state, line, start + 1);
    } else {
      if (isEmpty) return line;
      const lazyEnd = passLazyLines(state, line, endLine);
      if (lazyEnd > line) line = lazyEnd - 1;
      else if (endsQuote(state, line, endLine)) {
        endBefore(state, line, old);
        return line;
      } else {
        old.push(keepLine(state, line));
        state.sCount[line] = -1;
      }
    }
  }
  return endLine;
}

/** The line behind those that an outer quote took as lazy ones and that do not end this one either. */
function passLazyLines(state: StateBlock, line: number, endLine: number): number {
  const ends = lazyEndsOf(state.env);
  let end = line;
  while (end < endLine && indentOf(state, end) < 0) {
    const known = ends.get(end);
    if (known === undefined && endsQuote(state, end, endLine)) break;
    end = known ?? end + 1;
  }
  if (end > line) ends.set(line, end);
  return Math.min(end, endLine);
}

function endsQuote(state: StateBlock, line: number, endLine: number): boolean {
  return state.md.block.ruler.getRules("blockquote").some((rule) => rule(state, line, endLine, true));
}

function endBefore(state: StateBlock, line: number, old: OldLine[]): void {
  state.lineMax = line;
  if (state.blkIndent === 0) return;
  old.push(keepLine(state, line));
  state.sCount[line] = indentOf(state, line) - state.blkIndent;
}

/** Sets a line's start behind its mark and one blank; tells whether nothing but blanks follows. */
function takeMark(state: StateBlock, line: number, behindMark: number): boolean {
  const max = state.eMarks[line] ?? 0;
  const oldIndent = state.bsCount[line] ?? 0;
  const next = state.src.charCodeAt(behindMark);
  const hasBlank = next === SPACE || next === TAB;
  let initial = indentOf(state, line) + 1;
  // A tab that is wider than one column stays: the rest of its columns belong to the text.
  const keepsTab = next === TAB && (oldIndent + initial + 1) % 4 !== 0;
  const start = hasBlank && !keepsTab ? behindMark + 1 : behindMark;
  if (hasBlank && !keepsTab) initial++;
  let offset = initial;
  let at = start;
  for (; at < max; at++) {
    const unit = state.src.charCodeAt(at);
    if (unit === TAB) offset += 4 - ((offset + oldIndent + (keepsTab ? 1 : 0)) % 4);
    else if (unit === SPACE) offset++;
    else break;
  }
  state.bMarks[line] = start;
  state.bsCount[line] = indentOf(state, line) + 1 + (hasBlank ? 1 : 0);
  state.sCount[line] = offset - initial;
  state.tShift[line] = at - start;
  return at >= max;
}

function keepLine(state: StateBlock, line: number): OldLine {
  const { bMarks, tShift, sCount, bsCount } = state;
  return [line, bMarks[line] ?? 0, tShift[line] ?? 0, sCount[line] ?? 0, bsCount[line] ?? 0];
}

function indentOf(state: StateBlock, line: number): number {
  return state.sCount[line] ?? 0;
}

function textStart(state: StateBlock, line: number): number {
  return (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
}

/** For the first of some lazy lines, the line behind the last of them. */
function lazyEndsOf(env: StateBlock["env"]): Map<number, number> {
  if (!(env.lazyEnds instanceof Map)) env.lazyEnds = new Map();
  return env.lazyEnds as Map<number, number>;
}
