import { findOpenDictionary } from "../../sql/dictionaries.ts";
import { type DictionaryMember, findDictionary } from "../core/dictionary/dictionary.ts";
import type { Deps } from "../deps.ts";

/**
 * The primary key of a table of a file, as its dictionary in the newest open revision says; null where it says none.
 * `table` is the list of a JSON document, null where the file is one table.
 */
export async function findPrimaryKey(
  deps: Pick<Deps, "pool">,
  assetId: string,
  { table, isOnly }: { table: string | null; isOnly: boolean },
): Promise<string[] | null> {
  const json = await findOpenDictionary(deps.pool, assetId);
  const member = json === null ? null : (JSON.parse(json) as DictionaryMember);
  return findDictionary(member, table, isOnly)?.primary_key ?? null;
}
