import { type Citation, datePartsOf, titleOf, toOneLine } from "./citation.ts";

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;
/** What a work is, where APA style names it. */
const DESCRIBED = { dataset: " [Data set]", story: "", other: "" } as const;

/** A citation as one line in APA style: author, date, title, version, publisher, address. */
export function writeApa(citation: Citation): string {
  const { author, kind, revision, publisher, url } = citation;
  const [year = 0, month = 1, day = 1] = datePartsOf(citation);
  const date = `${year}, ${MONTHS[month - 1]} ${day}`;
  const work = `${endSentence(`${toOneLine(titleOf(citation))} (Version ${revision})${DESCRIBED[kind]}`)}`;
  return `${endSentence(toOneLine(author))} (${date}). ${work} ${endSentence(toOneLine(publisher))} ${url}`;
}

function endSentence(text: string): string {
  return /[.!?。！？]$/u.test(text) ? text : `${text}.`;
}
