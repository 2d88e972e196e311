import { z } from "zod";
import { countCodePoints, findMultiLineFault } from "../ground/text.ts";
import { findMarkdownProblems } from "../text/markdown/find-problems.ts";
import { parseMarkdown } from "../text/markdown/parse.ts";
import { PAYLOAD_LIMITS } from "./limits.ts";
import { atMost, describeMember } from "./members.ts";
import { foldLineEnds, SEVERAL_LINES, SEVERAL_LINES_NOT_BLANK } from "./text-fields.ts";

/** The most places in one text that a refusal lists; a hostile text has tens of thousands. */
const PROBLEMS_SHOWN = 50;

/** What Markdown may hold here, wherever it is taken; `{docs}` is the address of the documentation. */
export const MARKDOWN_RULES =
  "CommonMark with tables, strikethrough, task lists and footnotes; no raw HTML, no images. A fenced block `chart` (JSON with data, mark and encoding) is drawn as a chart, a fenced block `mermaid` as a flowchart: {docs}/charts and {docs}/flowcharts show both, {docs}/markdown the rest.";

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
    field.meta({ ...MARKDOWN, ...SEVERAL_LINES_NOT_BLANK }),
    `The text in Markdown. ${MARKDOWN_RULES} A chart may have \`data.from\`, a stored file and a question, in place of rows: {docs}/charts-from-data.`,
    EXAMPLE,
  );
}

/** A Markdown text of a front page, whose charts hold their rows; a blank text counts as missing. */
export function optionalMarkdownField(maxCharacters: number) {
  return checkedMarkdown(maxCharacters, false).meta({ ...MARKDOWN, ...SEVERAL_LINES });
}

const MARKDOWN = { contentMediaType: "text/markdown" };

function checkedMarkdown(maxCharacters: number, takesSources: boolean) {
  return z
    .string()
    .overwrite(foldLineEnds)
    .check(atMost(maxCharacters))
    .superRefine((text, context) => {
      for (const fault of findFaults(text, takesSources)) context.addIssue(fault);
    });
}

function* findFaults(text: string, takesSources: boolean): Generator<string> {
  const fault = findMultiLineFault(text);
  if (fault !== null) yield fault;
  // For a text over the limit, finding its length is work enough.
  if (
    text.length > 2 * PAYLOAD_LIMITS.bodyCharacters ||
    countCodePoints(text) > PAYLOAD_LIMITS.bodyCharacters
  )
    return;
  const problems = findMarkdownProblems(parseMarkdown(text), takesSources);
  for (const { message } of problems.slice(0, PROBLEMS_SHOWN)) yield message;
  const hidden = problems.length - PROBLEMS_SHOWN;
  if (hidden > 0) yield `has ${hidden} more problems of these kinds further down`;
}
