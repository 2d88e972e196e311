import type { FlowchartProblem } from "./flowchart.ts";

/** The text without comments, front matter and directives: as many lines as before, so that places stay right. */
export interface PreparedText {
  text: string;
  problems: FlowchartProblem[];
}

const FRONT_MATTER = "Front matter (--- … ---) is not read. Begin with flowchart TD.";
const DIRECTIVE = "Directives (%%{…}%%) are not read. Remove this one; the site sets the look of flowcharts.";
const BARE_COMMENT = "A comment before the first line needs text after %%. Write it, or remove the line.";
const ATTRIBUTE =
  "Tags in a label are shown as text and cannot hold quotation marks. Leave the tag out, or write '.";

/** Blanks comments and reports statements that no flowchart may have. */
export function prepareText(source: string): PreparedText {
  const lines = source.replace(/\r\n?/g, "\n").split("\n");
  const problems = [...blankFrontMatter(lines), ...blankPercents(lines)];
  const text = lines.join("\n");
  const attribute = findQuotedAttribute(text);
  if (attribute !== -1) problems.push({ line: countLine(text, attribute), message: ATTRIBUTE });
  return { text, problems };
}

/** The line, from 1, of an index. */
export function countLine(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < index; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

function blankFrontMatter(lines: string[]): FlowchartProblem[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  if (first === -1 || !/^\s*---+\s*$/.test(lines[first] ?? "")) return [];
  const closing = lines.findIndex((line, index) => index > first && line.trim() === "---");
  lines.fill("", first, (closing === -1 ? first : closing) + 1);
  return [{ line: first + 1, message: FRONT_MATTER }];
}

function blankPercents(lines: string[]): FlowchartProblem[] {
  const problems: FlowchartProblem[] = [];
  const lastClosing = lines.findLastIndex((line) => line.includes("}%%"));
  let headed = false;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const start = line.trimStart();
    if (line.includes("%%{")) {
      problems.push({ line: index + 1, message: DIRECTIVE });
      index = blankDirective(lines, index, lastClosing);
    } else if (start.startsWith("%%")) {
      if (start === "%%" && !headed) problems.push({ line: index + 1, message: BARE_COMMENT });
      lines[index] = "";
    } else if (start !== "") {
      headed = true;
    }
  }
  return problems;
}

/** Blanks a directive that may run over several lines, and gives the index of its last line. */
function blankDirective(lines: string[], first: number, lastClosing: number): number {
  const before = (lines[first] ?? "").split("%%{", 1)[0] ?? "";
  let last = first;
  if (lastClosing >= first) while (!lines[last]?.includes("}%%")) last += 1;
  lines.fill("", first, last + 1);
  lines[first] = before.trim() === "" ? "" : before;
  return last;
}

// Mermaid turns the quotation marks of `<tag name="…">` into apostrophes before it reads anything else, wherever
// that reaches: labels would end elsewhere than they seem to.
function findQuotedAttribute(text: string): number {
  const tag = /<\w+/g;
  for (let found = tag.exec(text); found !== null; found = tag.exec(text)) {
    const end = text.indexOf(">", found.index);
    if (end === -1) return -1;
    const attributes = text.slice(found.index, end);
    const opening = attributes.indexOf('="');
    if (opening !== -1 && attributes.includes('"', opening + 2)) return found.index;
    tag.lastIndex = end;
  }
  return -1;
}
