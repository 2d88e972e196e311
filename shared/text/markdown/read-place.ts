/** Where in a text a refusal points. */
export interface Place {
  line: number | null;
  /** The number of a chart among the charts, or of a flowchart among the flowcharts. */
  block: number | null;
}

const PLACE = /^(?:(?:Chart|Flowchart) (\d{1,7})(?: \(line (\d{1,7})\))?|Line (\d{1,7})): /;

/** The place that a sentence begins with, as `findMarkdownProblems` and `nameBlock` write it. */
export function readPlace(sentence: string): Place {
  const [, block, lineOfBlock, line = lineOfBlock] = PLACE.exec(sentence) ?? [];
  return { line: toNumber(line), block: toNumber(block) };
}

function toNumber(digits: string | undefined): number | null {
  return digits === undefined ? null : Number(digits);
}
