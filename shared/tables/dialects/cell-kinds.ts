import { isNumberText } from "../inspection/column-types.ts";
import { isDateText } from "../inspection/dates.ts";

/** What a cell is, as far as it tells data from names. */
export type CellKind = "number" | "date" | "address" | "e-mail" | "boolean" | "text";

const NUMBER = /^[-+]?(?:\d+|\d{1,3}(?:[ .,'\u00a0\u202f]\d{3})+)(?:[.,]\d+)?$/;
const DATE = /^(?:\d{1,2}([./-])\d{1,2}\1\d{2,4}|\d{4}([./-])\d{1,2}\2\d{1,2})(?:[T ].*)?$/;
const ADDRESS = /^(?:https?|ftp):\/\/\S+$/i;
const E_MAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const BOOLEAN = /^(?:true|false)$/i;

/** The kind of a filled cell, blanks around it aside. */
export function findCellKind(cell: string): CellKind {
  const text = cell.trim();
  if (isNumberText(text) || NUMBER.test(text)) return "number";
  if (isDateText(text) || DATE.test(text)) return "date";
  if (BOOLEAN.test(text)) return "boolean";
  if (ADDRESS.test(text)) return "address";
  return E_MAIL.test(text) ? "e-mail" : "text";
}

/** The one kind of the filled cells of a column; text where they differ, null where none is filled. */
export function findColumnKind(cells: Iterable<string>): CellKind | null {
  let kind: CellKind | null = null;
  for (const cell of cells) {
    if (cell.trim() === "") continue;
    const own = findCellKind(cell);
    if (own === "text" || (kind !== null && own !== kind)) return "text";
    kind = own;
  }
  return kind;
}
