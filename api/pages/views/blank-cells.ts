import { readDictionary } from "../../../shared/datasets/uploads/present-public-file.ts";
import { type Dictionary, findDictionary } from "../../../shared/tables/dictionary/dictionary.ts";
import { MOST } from "../../../shared/tables/questions/question.ts";
import type { AskedPage } from "./asked-table.ts";

/** A longer text would make long addresses. */
const MOST_BLANK_CHARACTERS = 100;

/** What the agent says of the columns of the table; null where nothing. */
export function findMeaning({ file, table }: Pick<AskedPage, "file" | "table">): Dictionary | null {
  return findDictionary(readDictionary(file.row), table.name, file.tables.length < 2);
}

/** Whether the query asks nothing of its table. */
export function isBare({ query }: Pick<AskedPage, "query">): boolean {
  return [...query.keys()].every((name) => name === "table");
}

/**
 * The query as the page answers it: where nothing is asked, what the dictionary names as missing counts as blank, and so
 * it does in every question that begins there.
 */
export function countMissingAsBlank(page: AskedPage): URLSearchParams {
  if (!isBare(page)) return page.query;
  const all = findMeaning(page)?.columns.flatMap((column) => column.missing_values ?? []) ?? [];
  const short = new Set(all.filter((text) => text.length <= MOST_BLANK_CHARACTERS));
  const blank = [...short].slice(0, MOST.blank).map((text): [string, string] => ["blank[]", text]);
  return new URLSearchParams([...page.query, ...blank]);
}
