import { shortenText } from "../../ground/text.ts";
import type { BriefColumn, BriefTable } from "../statistics/brief-columns.ts";
import { type DictionaryColumn, type DictionaryMember, findDictionary } from "./dictionary.ts";

const DESCRIPTION_CHARACTERS = 200;

/** The tables of a file in few words, with what its agent says of their columns. */
export function addMeanings(tables: readonly BriefTable[], member: DictionaryMember | null): BriefTable[] {
  return tables.map((table) => {
    const said = findDictionary(member, table.table, tables.length === 1)?.columns ?? [];
    const meant = new Map(said.map((column) => [column.name, column]));
    return { ...table, columns: table.columns.map((column) => addMeaning(column, meant.get(column.name))) };
  });
}

function addMeaning(column: BriefColumn, said: DictionaryColumn | undefined): BriefColumn {
  if (said === undefined) return column;
  const { title, unit, description, missing_values, role } = said;
  const members = JSON.stringify({
    ...{ title, unit, missing_values, role },
    description: description && shortenText(description, DESCRIPTION_CHARACTERS),
  });
  if (members === "{}") return column;
  return {
    ...column,
    json: `${column.json.slice(0, -1)},${members.slice(1)}`,
    ...(missing_values === undefined ? {} : { missing: missing_values }),
    isIdentifier: role === "identifier",
  };
}
