import type { FlowchartProblem } from "./flowchart.ts";
import { matchAt } from "./read-label.ts";

const FRONT_MATTER = "Front matter (--- … ---) is not read. Begin with flowchart TD.";
const DIRECTIVE = "Directives (%%{…}%%) are not read. Remove this one; the site sets the look of flowcharts.";
const BARE_COMMENT = "A comment before the first line needs text after %%. Write it, or remove the line.";
const ATTRIBUTE =
  "Tags in a label are shown as text and cannot hold quotation marks. Leave the tag out, or write '.";

/**
 * Blanks comments, front matter and directives, and reports what no flowchart may have: the text has as many lines as
 * before, so that places stay right.
 */
export function prepareText(source: string): { text: string; problems: FlowchartProblem[] } {
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

interface NamedStatement {
  begins: RegExp;
  refusal: string;
}

const REMOVE = "Remove this line.";
const LOOK = `The site sets the look of flowcharts. ${REMOVE}`;

/** Statements of Mermaid that are refused by name. */
const STATEMENTS: readonly NamedStatement[] = [
  { begins: /style\s/y, refusal: `Styles are not drawn. ${LOOK}` },
  { begins: /linkStyle\s/y, refusal: `Styles of connections (linkStyle) are not drawn. ${LOOK}` },
  { begins: /classDef\s/y, refusal: `Classes (classDef) are not drawn. ${LOOK}` },
  { begins: /class\s/y, refusal: `Classes are not drawn. ${LOOK}` },
  {
    begins: /click\s/y,
    refusal: `Clicks are not drawn. ${REMOVE} Put the link in the text beside the flowchart.`,
  },
  {
    begins: /direction\s+(?:TB|TD|BT|LR|RL)\b/y,
    refusal: `The direction stands only in the first line, such as flowchart LR. ${REMOVE}`,
  },
  {
    begins: /accTitle\s*:|accDescr\s*[:{]/y,
    refusal: `accTitle and accDescr are not read; a text version is made from the flowchart. ${REMOVE}`,
  },
  {
    begins: /(?:flowchart|graph)(?=\s|;|$)/y,
    refusal: "A block holds one flowchart. Put the second one in a block of its own.",
  },
];

const SUBGRAPH = /subgraph\b/y;
const END = /end[^\S\n]*(?=[;\n]|$)/y;

/** The refusal of a statement that is not drawn, or null. */
export function refuseStatement(text: string, at: number): string | null {
  return STATEMENTS.find(({ begins }) => matchAt(begins, text, at) !== null)?.refusal ?? null;
}

/** Whether a subgraph opens here, or a bare `end` closes one. */
export function seeSubgraph(text: string, at: number): "opens" | "ends" | null {
  if (matchAt(SUBGRAPH, text, at) !== null) return "opens";
  return matchAt(END, text, at) === null ? null : "ends";
}

const EDGE_ID = /[^\s"[\](){}|@]+@(?![{"])/y;

/** The refusal of a text in the place of a statement's end. */
export function refuseTail(text: string, at: number, spaced: boolean): string {
  const found = text.charAt(at);
  if (found === "&")
    return "Lists of nodes with & are not read. Write one connection a line: A --> C, then B --> C.";
  if (text.startsWith(":::", at))
    return "Classes (:::) are not drawn. Leave them out; the site sets the look.";
  if (text.startsWith("@{", at))
    return "Shapes as data (@{…}) are not read. Write the form: A[box], A(rounded), A([stadium]), A{decision}, A((circle)).";
  if (text.startsWith("%%", at)) return "A comment stands on a line of its own. Move it to the line above.";
  if (matchAt(EDGE_ID, text, at) !== null || found === "@") {
    return "Ids of connections (e1@-->) are not read. Write the connection alone: A --> B.";
  }
  if (spaced && /[[({]/.test(found)) return "A label follows its id without a space: A[label].";
  if (/[\])}|"]/.test(found)) {
    return `${found} is one too many here. A label that holds brackets, bars or semicolons is quoted: A["text"].`;
  }
  return spaced
    ? "A connection or a line break is missing here. Write A --> B, or begin a new line."
    : 'This cannot follow a node. Ids are letters, digits, _ and -; other characters go in a label: n1["text"].';
}
