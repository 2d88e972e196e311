import { findOpenDictionary } from "../../../sql/datasets/dictionaries.ts";
import type { Deps } from "../../platform/deps.ts";
import {
  type DictionaryMember,
  findDictionary,
  listDictionaries,
} from "../../tables/dictionary/dictionary.ts";

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
  const isOnly = member !== null && listDictionaries(member).length === 1;
  return findDictionary(member, table, isOnly)?.primary_key ?? null;
}
