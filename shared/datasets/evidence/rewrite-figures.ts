import { findOccurrences, linesOf } from "../../ground/occurrences.ts";
import type { Deps } from "../../platform/deps.ts";
import { listOccurrences } from "../../text/numbers/count-numbers.ts";
import { locateSeen } from "../../text/numbers/locate-seen.ts";

/** A figure's text, and the one that takes its place. */
export interface FigureTexts {
  old: string;
  new: string;
}

/**
 * Writes new texts of figures where readers see the old ones. `missed` are the occurrences that the Markdown does not write
 * as readers see them: which of the texts, and the line.
 */
export async function rewriteFigures(
  deps: Deps,
  markdown: string,
  texts: readonly FigureTexts[],
): Promise<{ markdown: string; missed: { index: number; line: number }[] }> {
  const changes = texts.filter((text) => text.old !== text.new);
  if (changes.length === 0) return { markdown, missed: [] };
  const read = (text: string) => deps.texts.read(text);
  const seen = listOccurrences(
    await read(markdown),
    texts.map((text) => text.old),
  );
  const written = changes.flatMap((text) => [...markdown.matchAll(writtenAs(text.old, "g"))]);
  const places = [...new Set(written.map(({ index }) => index))].toSorted((one, other) => one - other);
  const located = await locateSeen(read, markdown, places);
  const missed: { index: number; line: number }[] = [];
  const edits: { place: number; length: number; by: string }[] = [];
  for (const { start, index, line } of seen) {
    const { old = "", new: by = "" } = texts[index] ?? {};
    if (old === by) continue;
    const place = located.get(start);
    const [found] = place === undefined ? [] : (matchAt(markdown, place, old) ?? []);
    if (place === undefined || found === undefined) missed.push({ index, line });
    else edits.push({ place, length: found.length, by });
  }
  for (const [index, text] of texts.entries()) {
    if (text.old === text.new || markdown.includes(text.new) || seen.some((one) => one.index === index))
      continue;
    for (const line of linesOf(markdown, findOccurrences(markdown, text.old))) missed.push({ index, line });
  }
  const parts: string[] = [];
  let end = 0;
  for (const { place, length, by } of edits.toSorted((one, other) => one.place - other.place)) {
    parts.push(markdown.slice(end, place), by);
    end = place + length;
  }
  return { markdown: [...parts, markdown.slice(end)].join(""), missed };
}

/** A figure's text as Markdown may write it: at a blank a line may end, and the next begin with marks of its block. */
function writtenAs(text: string, flags: string): RegExp {
  const plain = text.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");
  return new RegExp(plain.replaceAll(" ", "(?: |\\n[ \\t>]*)"), flags);
}

function matchAt(markdown: string, place: number, text: string): RegExpExecArray | null {
  const pattern = writtenAs(text, "y");
  pattern.lastIndex = place;
  return pattern.exec(markdown);
}
