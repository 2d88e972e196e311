/**
 * Where a text holds another one, from its start on and without overlaps. The time grows with the two lengths alone
 * (Knuth, Morris and Pratt): indexOf takes seconds for texts that almost match everywhere.
 */
export function findOccurrences(text: string, wanted: string): number[] {
  const first = wanted.charAt(0);
  const begin = text.indexOf(first);
  if (begin === -1) return [];
  const borders = listBorders(wanted);
  const found: number[] = [];
  let matched = 0;
  for (let at = begin; at < text.length; at++) {
    if (matched === 0) at = text.indexOf(first, at);
    if (at === -1) break;
    matched = matchOneMore(wanted, borders, matched, text.charCodeAt(at));
    if (matched < wanted.length) continue;
    found.push(at + 1 - matched);
    matched = 0;
  }
  return found;
}

/** For each start of a text, the length of the longest shorter start that it ends with. */
function listBorders(wanted: string): Int32Array {
  const borders = new Int32Array(wanted.length);
  let matched = 0;
  for (let at = 1; at < wanted.length; at++) {
    matched = matchOneMore(wanted, borders, matched, wanted.charCodeAt(at));
    borders[at] = matched;
  }
  return borders;
}

function matchOneMore(wanted: string, borders: Int32Array, matched: number, code: number): number {
  let length = matched;
  while (length > 0 && wanted.charCodeAt(length) !== code) length = borders[length - 1] ?? 0;
  return wanted.charCodeAt(length) === code ? length + 1 : length;
}

/** The lines, counted from 1, on which these ascending places of a text stand; each line once. */
export function linesOf(text: string, places: readonly number[]): number[] {
  const lines = new Set<number>();
  let line = 1;
  let at = 0;
  for (const place of places) {
    for (; at < place; at++) if (text.charCodeAt(at) === 10) line++;
    lines.add(line);
  }
  return [...lines];
}

/** How many lines a refusal names. */
const LINES_SHOWN = 20;

/** Lines as a refusal names them. */
export function nameLines(lines: readonly number[]): string {
  const more = lines.length > LINES_SHOWN ? ` and ${lines.length - LINES_SHOWN} more` : "";
  return `${lines.length === 1 ? "line" : "lines"} ${lines.slice(0, LINES_SHOWN).join(", ")}${more}`;
}
