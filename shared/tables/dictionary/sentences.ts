import { takeCodePoints } from "../../ground/text.ts";

const CELL_CHARACTERS = 60;

/** The number of a row in a sentence, as in every other refusal about a file: the header of a CSV is row 1. */
export function numberRow(row: number, isCsv: boolean): number {
  return row + (isCsv ? 2 : 1);
}

/** A cell as a sentence repeats it: a number as written, a text in quotes, both cut. */
export function showCell(text: string, isNumber: boolean): string {
  const cut = takeCodePoints(text, CELL_CHARACTERS);
  const shown = cut.length < text.length ? `${cut}…` : cut;
  return isNumber ? shown : JSON.stringify(shown);
}
