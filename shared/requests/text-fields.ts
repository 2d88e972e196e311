import { z } from "zod";
import { findMultiLineFault, findSingleLineFault } from "../ground/text.ts";
import { isReadAtOnce, readText } from "../text/markdown/read-text.ts";
import { atLeast, atMost, describeMember } from "./members.ts";

// Characters that trim() would remove although they must be refused: C0 controls, lone CR, BOM, line
// separators.
const NOT_BLANK = /[\u000b-\u000d\ufeff\u2028\u2029]/;

// What a schema can say of a text of one line: blanks are trimmed, so tabs and line breaks may stand at its ends.
// Variation selectors and the characters beyond U+FFFF are left to the service.
const ENDS = "(?:[\\t\\n ]|\\r\\n)*";
const SEEN =
  "[^\\u0000-\\u0020\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufff8]+";
const LINE = `${SEEN}(?: +${SEEN})*${ENDS}`;

/** The pattern of a text of one line: no control, invisible, zero-width or bidirectional control character. */
export const ONE_LINE = { pattern: `^${ENDS}${LINE}$` };
const ONE_LINE_OR_BLANK = { pattern: `^${ENDS}(?:${LINE})?$` };

// No control character but tab and line break; a lone carriage return is one.
const PROSE = proseWithout("\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f");
const MARKDOWN_PROSE = proseWithout("\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u0084\\u0086-\\u009f");

function proseWithout(controls: string): string {
  return `[^${controls}]*(?:\\r\\n[^${controls}]*)*`;
}

/** The pattern of a text of several lines. */
export const SEVERAL_LINES = { pattern: `^${PROSE}$` };

/** The pattern of a text of several lines that is not blank. */
export const SEVERAL_LINES_NOT_BLANK = { pattern: `^(?=[\\s\\S]*\\S)${PROSE}$` };

/** A required text of one line (title, name, label): trimmed, no line breaks, no disguising characters. */
export function lineField(maxCharacters: number) {
  return optionalLineField(maxCharacters).check(atLeast(1)).meta(ONE_LINE);
}

/** Like lineField, but a blank text counts as missing. */
export function optionalLineField(maxCharacters: number) {
  return z
    .string()
    .overwrite(trimBlanks)
    .check(atMost(maxCharacters))
    .superRefine((text, context) => reportFault(findSingleLineFault(text), context))
    .meta(ONE_LINE_OR_BLANK);
}

/** An optional prose text (summary, note): trimmed, line breaks allowed; a blank one counts as missing. */
export function proseField(maxCharacters: number) {
  return z
    .string()
    .overwrite(trimBlanks)
    .check(atMost(maxCharacters))
    .superRefine((text, context) => reportFault(findMultiLineFault(text), context))
    .meta(SEVERAL_LINES);
}

/** Line ends as LF: CRLF is folded, a lone CR stays and is refused as a control character. */
export function foldLineEnds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** Line ends of Markdown as LF: U+0085 is one as well. */
export function foldMarkdownEnds(text: string): string {
  return text.replace(/\r\n|\u0085/g, "\n");
}

/** The text without blanks at its ends, unless a character there is one that must be refused. */
export function trimBlanks(text: string): string {
  const folded = foldLineEnds(text);
  const withoutStart = folded.trimStart();
  const trimmed = withoutStart.trimEnd();
  const start = folded.slice(0, folded.length - withoutStart.length);
  const end = withoutStart.slice(trimmed.length);
  return NOT_BLANK.test(start) || NOT_BLANK.test(end) ? folded : trimmed;
}

/** Reports the fault of a text, if any. */
export function reportFault(fault: string | null, context: { addIssue: (message: string) => void }): void {
  if (fault !== null) context.addIssue(fault);
}

/** What Markdown may hold here, wherever it is taken; `{docs}` is the address of the documentation. */
export const MARKDOWN_RULES =
  "CommonMark with tables, strikethrough, task lists and footnotes; no raw HTML, no images. A fenced block `chart` (JSON with data, mark and encoding) is drawn as a chart, a fenced block `mermaid` as a flowchart: {docs}/charts and {docs}/flowcharts show both, {docs}/charts-that-tell long names, times, scales, units and orders of charts, {docs}/charts-with-notes bands, small charts and annotations, {docs}/markdown the rest.";

const EXAMPLE = `The gauge rose **1.2 m** in a night.

\`\`\`chart
{"data": {"values": [{"day": "Mon", "metres": 0.4}, {"day": "Tue", "metres": 1.2}]}, "mark": "bar",
 "encoding": {"x": {"field": "day", "type": "ordinal"}, "y": {"field": "metres", "type": "quantitative"}}}
\`\`\`
`;

/**
 * The required Markdown text of a work under the Markdown rules; only its line ends are changed. Its charts may have
 * their rows from files.
 */
export function markdownField(maxCharacters: number) {
  const field = checkedMarkdown(maxCharacters, true).regex(/\S/, { error: "is required" });
  return describeMember(
    field.meta({ ...MARKDOWN, pattern: `^(?=[\\s\\S]*\\S)${MARKDOWN_PROSE}$` }),
    `The text in Markdown. ${MARKDOWN_RULES} A chart may have \`data.from\`, a stored file and a question, in place of rows: {docs}/charts-from-data.`,
    EXAMPLE,
  );
}

/** A Markdown text of a front page, whose charts hold their rows; a blank text counts as missing. */
export function optionalMarkdownField(maxCharacters: number) {
  return checkedMarkdown(maxCharacters, false).meta({ ...MARKDOWN, pattern: `^${MARKDOWN_PROSE}$` });
}

const MARKDOWN = { contentMediaType: "text/markdown" };

function checkedMarkdown(maxCharacters: number, takesSources: boolean) {
  return z
    .string()
    .overwrite(foldMarkdownEnds)
    .check(atMost(maxCharacters))
    .superRefine((text, context) => {
      for (const fault of findFaults(text, takesSources)) context.addIssue(fault);
    });
}

function* findFaults(text: string, takesSources: boolean): Generator<string> {
  const fault = findMultiLineFault(text);
  if (fault !== null) yield fault;
  // A longer text is read in a thread, by whoever plans what is done with it (works/creations/plan-save.ts).
  if (isReadAtOnce(text)) yield* readText(text, takesSources).faults;
}
