import type { DescribedCells } from "../../tables/dictionary/described-cells.ts";
import {
  type DictionaryColumn,
  type DictionaryMember,
  findDictionary,
} from "../../tables/dictionary/dictionary.ts";
import type { StoredChecks } from "../../tables/dictionary/stored-checks.ts";
import type {
  Column,
  DocumentInspection,
  TableInspection,
  TableSummary,
} from "../../tables/inspection/verdict.ts";
import type { ColumnForm } from "../../tables/statistics/column-form.ts";
import type { DescribedColumn, DescribedTable } from "./described-work.ts";

/** What inspection found, without its sample. */
type Found = Pick<TableInspection, "kind" | "columns"> | Pick<DocumentInspection, "kind"> | null;

/** A file may hold a hundred thousand lists: its description stays as wide as that of the widest table. */
const MOST_TABLES = 100;
const MOST_COLUMNS = 10_000;

/** What an agent says of the columns of a file, and what its check found. */
interface Said {
  dictionary: DictionaryMember | null;
  checks: StoredChecks | null;
}

/** The tables that inspection found in a file, with the forms of their columns as far as those were measured. */
export function describeTables(
  found: Found,
  tables: readonly TableSummary[],
  forms: readonly (readonly ColumnForm[])[],
  { dictionary, checks }: Said = { dictionary: null, checks: null },
): DescribedTable[] {
  let left = MOST_COLUMNS;
  const all = listTables(found, tables);
  return all.slice(0, MOST_TABLES).flatMap(({ list, position, columns }, place) => {
    left -= columns.length;
    if (left < 0) return [];
    const own = forms[place] ?? [];
    const said = findDictionary(dictionary, list, all.length === 1);
    const meant = new Map(said?.columns.map((column) => [column.name, column]));
    const beside = new Map(
      checks?.columns.find((one) => one.position === position)?.columns.map((one) => [one.name, one]),
    );
    const described = columns.map((column, at) => ({
      ...describeColumn(column, own[at] ?? null, meant.get(column.name)),
      ...describeBeside(beside.get(column.name)),
    }));
    const key = said?.primary_key;
    return [{ list, columns: described, ...(key === undefined ? {} : { primaryKey: key }) }];
  });
}

/** A column by its cells, with what the agent says that it means. */
function describeColumn(
  { name, type, blanks }: Column,
  form: ColumnForm | null,
  said: DictionaryColumn | undefined,
): DescribedColumn {
  const { title, description, unit, concept, missing_values: missing, categories, references } = said ?? {};
  const { required, unique, minimum, maximum } = said ?? {};
  return {
    ...{ name, type, blanks, form },
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(unit === undefined ? {} : { unit }),
    ...(concept === undefined ? {} : { concept }),
    ...(missing === undefined ? {} : { missing }),
    ...(categories === undefined ? {} : { categories }),
    ...(required === undefined ? {} : { required }),
    ...(unique === undefined ? {} : { unique }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(references === undefined ? {} : { references }),
  };
}

function describeBeside(cells: DescribedCells | undefined): Pick<DescribedColumn, "beside"> {
  return cells === undefined ? {} : { beside: { type: cells.type, form: cells.form } };
}

function listTables(
  found: Found,
  tables: readonly TableSummary[],
): { list: string | null; position: number | null; columns: Column[] }[] {
  if (found?.kind === "table") return [{ list: null, position: null, columns: found.columns }];
  return tables.map(({ name, position, columns }) => ({ list: name, position, columns }));
}
