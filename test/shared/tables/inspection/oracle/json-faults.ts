import { refuseJson as refuse } from "../../../../../shared/tables/inspection/json-faults.ts";
import type { FileRefused } from "../../../../../shared/tables/inspection/verdict.ts";

export { refuseLongToken } from "../../../../../shared/tables/inspection/json-faults.ts";

/** Where a piece of the text begins, and at which of its characters its last line does. */
export interface JsonPlace {
  lineFrom: number;
  /** Characters of the line at hand that stand in earlier pieces. */
  columnBase: number;
  line: number;
}

/** "Line 3, column 14": both from 1, columns in characters (Unicode code points). */
export function placeOf(place: JsonPlace, text: string, at: number): string {
  const before = text.slice(place.lineFrom, at);
  const astral = before.match(/[\udc00-\udfff]/g)?.length ?? 0;
  return `Line ${place.line}, column ${place.columnBase + before.length - astral + 1}`;
}

/** The refusal of what stands at an index of the text at hand: the sentences are those of the scan. */
export function refuseJson(
  place: JsonPlace,
  text: string,
  at: number,
  fault: Parameters<typeof refuse>[2],
): FileRefused {
  return refuse(placeOf(place, text, at), text.charCodeAt(at), fault);
}
