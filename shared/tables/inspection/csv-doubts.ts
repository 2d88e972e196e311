import { clipText, countNoun } from "../../ground/text.ts";
import { countMarks, findMeantSeparator } from "./csv-separators.ts";
import type { CsvSurvey } from "./csv-survey.ts";
import { FileRefused } from "./verdict.ts";

const KEEP = '{"delimiter": ","} where it is meant as it is.';

/** Throws `FileRefused` where a table is sound, but most likely another one was meant. */
export function refuseDoubts({ splitQuote, separators, names }: CsvSurvey): void {
  const separator = findMeantSeparator(separators);
  if (separator !== null) {
    const { mark, name, rows } = separator;
    const rest = names.length === 1 ? "" : " The commas would then be a part of the values.";
    throw new FileRefused({
      says: `Row 1 and all ${countNoun(rows, "row")} below hold ${countMarks(separator)} outside quotes: ${name} seem to separate the values.${rest}`,
      dialect: { delimiter: mark },
      otherwise: `, or with ${KEEP}`,
    });
  }
  if (splitQuote === null) return;
  const { row, text, column } = splitQuote;
  const shown = JSON.stringify(clipText(text, 40));
  const what = /^[ \t]+"/.test(text)
    ? "A blank before a quote makes both a part of the value: take the blank out."
    : "A separator or a quote seems to be missing before it: separate the values by a comma, and double a quote that belongs to a value that stands in quotes.";
  throw new FileRefused(
    `Row ${row} has a quote inside value ${column + 1}, ${shown}, and another at the end of a later value. ${what} Send it with the dialect ${KEEP}`,
  );
}
