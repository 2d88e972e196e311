/** A hunk of a unified diff; a side without lines starts behind the line before it. */
export interface TextHunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  /** Each with its mark: a blank, `-`, `+`, or `\` behind a last line that no line feed ends. */
  lines: string[];
}

const UNENDED = "\\ No newline at end of file";

/** One hunk that replaces everything between the lines with which both texts begin and end; none for equal texts. */
export function replaceMiddle(from: string, to: string, contextLines: number): TextHunk[] {
  if (from === to) return [];
  const [before, after] = [splitLines(from), splitLines(to)];
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const first = Math.max(0, head - contextLines);
  const follow = Math.min(tail, contextLines);
  const [oldEnd, newEnd] = [before.length - tail, after.length - tail];
  return [
    {
      oldStart: first + 1,
      oldLines: oldEnd + follow - first,
      newStart: first + 1,
      newLines: newEnd + follow - first,
      lines: [
        ...before.slice(first, head).flatMap((line) => mark(" ", line)),
        ...before.slice(head, oldEnd).flatMap((line) => mark("-", line)),
        ...after.slice(head, newEnd).flatMap((line) => mark("+", line)),
        ...after.slice(newEnd, newEnd + follow).flatMap((line) => mark(" ", line)),
      ],
    },
  ];
}

/** The lines of a text, each with the line feed that ends it. */
function splitLines(text: string): string[] {
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  const ended = lines.map((line) => `${line}\n`);
  return last === "" ? ended : [...ended, last];
}

function mark(sign: string, line: string): string[] {
  return line.endsWith("\n") ? [`${sign}${line.slice(0, -1)}`] : [`${sign}${line}`, UNENDED];
}
