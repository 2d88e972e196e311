import { KIND } from "./coded-table.ts";

/** A cell as JSON text; every cell of a CSV is a text. */
export function encodeCell(kind: number, text: () => string, isText: boolean): string {
  if (kind === KIND.blank) return "null";
  return isText || kind === KIND.text ? JSON.stringify(text()) : text();
}
