import { classifyCsvText } from "./column-types.ts";

/** What a cell is, as far as it tells data from names: as people write it, whether or not columns get that type. */
export type CellKind = "number" | "date" | "address" | "e-mail" | "boolean" | "text";

const NUMBER = /^[-+]?(?:\d+|\d{1,3}(?:[ .,'\u00a0\u202f]\d{3})+)(?:[.,]\d+)?$/;
const DATE = /^(?:\d{1,2}([./-])\d{1,2}\1\d{2,4}|\d{4}([./-])\d{1,2}\2\d{1,2})(?:[T ].*)?$/;
const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:\/\/|www\.)\S+$/i;
const E_MAIL = /^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+$/;

/** The kind of a filled cell, blanks around it aside. */
export function findCellKind(cell: string): CellKind {
  const text = cell.trim();
  const kind = classifyCsvText(text);
  if (kind !== "text") return kind;
  if (NUMBER.test(text)) return "number";
  if (DATE.test(text)) return "date";
  if (ADDRESS.test(text)) return "address";
  return E_MAIL.test(text) ? "e-mail" : "text";
}

/** Whether a text is an address or an e-mail, which no column is called by. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text) || E_MAIL.test(text);
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

/** Whether numbers may be the years of a wide table, as names of columns and as numbers of one row. */
export function isYears(names: readonly string[]): boolean {
  return names.every((name) => /^ *[12]\d{3} *$/.test(name)) && findSteps(names).every((step) => step > 0);
}

/** The steps from number to number, in the direction of the first. */
export function findSteps(names: readonly string[]): number[] {
  const steps = names.slice(1).map((name, at) => Number(name) - Number(names[at]));
  return (steps[0] ?? 0) < 0 ? steps.map((step) => -step) : steps;
}
