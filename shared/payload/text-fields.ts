import { z } from "zod";
import { findMultiLineFault, findSingleLineFault } from "../core/text.ts";
import { atLeast, atMost } from "./lengths.ts";

// Characters that trim() would remove although they must be refused: C0 controls, lone CR, BOM, line
// separators.
const NOT_BLANK = /[\u000b-\u000d\ufeff\u2028\u2029]/;

/** What the interface says of a text of one line. */
export const ONE_LINE = {
  description:
    "One line. It holds something that can be seen, and no invisible, zero-width or bidirectional control character.",
};

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
    .meta(ONE_LINE);
}

/** An optional prose text (summary, note): trimmed, line breaks allowed; a blank one counts as missing. */
export function proseField(maxCharacters: number) {
  return z
    .string()
    .overwrite(trimBlanks)
    .check(atMost(maxCharacters))
    .superRefine((text, context) => reportFault(findMultiLineFault(text), context));
}

/** Line ends as LF: CRLF is folded, a lone CR stays and is refused as a control character. */
export function foldLineEnds(text: string): string {
  return text.replaceAll("\r\n", "\n");
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
