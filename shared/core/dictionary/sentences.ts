import { takeCodePoints } from "../text.ts";

const CELL_CHARACTERS = 60;

/** A row by its number, from 1 behind the header, as readers of the table see it. */
export function nameRow(row: number): string {
  return `Row ${row + 1}`;
}

/** A cell as a sentence repeats it: a number as written, a text in quotes, both cut. */
export function showCell(text: string, isNumber: boolean): string {
  const cut = takeCodePoints(text, CELL_CHARACTERS);
  const shown = cut.length < text.length ? `${cut}…` : cut;
  return isNumber ? shown : JSON.stringify(shown);
}
