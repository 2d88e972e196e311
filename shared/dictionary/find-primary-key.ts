import { findOpenDictionary } from "../../sql/dictionaries.ts";
import { type DictionaryMember, listDictionaries } from "../core/dictionary/dictionary.ts";
import type { Deps } from "../deps.ts";

/**
 * The primary key of a table of a file, as its dictionary in the newest open revision says; null where it says none.
 * `table` is the list of a JSON document, null where the file has one table.
 */
export async function findPrimaryKey(
  deps: Pick<Deps, "pool">,
  assetId: string,
  table: string | null,
): Promise<readonly string[] | null> {
  const json = await findOpenDictionary(deps.pool, assetId);
  return json === null ? null : readPrimaryKey(JSON.parse(json) as DictionaryMember, table);
}

/** The primary key of a table, as a file's dictionary says; `table` as above. */
export function readPrimaryKey(
  member: DictionaryMember | null,
  table: string | null,
): readonly string[] | null {
  const all = member === null ? [] : listDictionaries(member).map(({ dictionary }) => dictionary);
  const [first, ...others] = all;
  // One that names no list is of the only table.
  const only = others.length === 0 && (table === null || first?.table === undefined) ? first : undefined;
  return (all.find((one) => table !== null && one.table === table) ?? only)?.primary_key ?? null;
}
