import { type DictionaryColumn, findDictionary } from "../../../shared/core/dictionary/dictionary.ts";
import { findUnitCode } from "../../../shared/core/dictionary/units.ts";
import { cutName, MOST_COLUMNS } from "../parts/words.ts";
import type { CreationPageView } from "./creation-view.ts";

/**
 * What a dataset measures: each name of a column once, with the range of its numbers where the page may show it, and what
 * the first dictionary that has it says of it.
 */
export function listVariables({ files, showPreview }: CreationPageView): object[] {
  const found = new Map<string, Variable>();
  for (const file of files) {
    for (const column of listColumns(file)) {
      const name = cutName(column.name);
      const range = showPreview ? column.range : null;
      const known = found.get(name);
      if (known === undefined) found.set(name, { range, said: column.said });
      else found.set(name, { range: join(known.range, range), said: known.said ?? column.said });
    }
  }
  return [...found].map(([name, { range, said }]) => ({
    "@type": "PropertyValue",
    name,
    ...(said && describe(said)),
    ...(range && { minValue: range.min, maxValue: range.max }),
  }));
}

interface Variable {
  range: Range | null;
  said: DictionaryColumn | null;
}

/** A unit in the words of its author, and its code where it is one. */
function describe({ title, description, unit, concept }: DictionaryColumn): object {
  const code = unit === undefined ? null : findUnitCode(unit);
  return {
    ...(title === undefined ? {} : { alternateName: title }),
    ...(description === undefined ? {} : { description }),
    ...(unit === undefined ? {} : { unitText: unit }),
    ...(code === null ? {} : { unitCode: code }),
    ...(concept === undefined ? {} : { propertyID: concept }),
  };
}

interface Range {
  min: number;
  max: number;
}

function listColumns({ stats, inspection, dictionary }: CreationPageView["files"][number]) {
  const tables = stats?.length ? stats : [{ table: null, columns: inspection?.columns ?? [] }];
  return tables.flatMap(({ table, columns }) => {
    const meant = findDictionary(dictionary, table, tables.length === 1);
    const saidOf = new Map(meant?.columns.map((column) => [column.name, column]));
    return columns.slice(0, MOST_COLUMNS).map((column) => {
      const said = saidOf.get(column.name) ?? null;
      // Statistics count what stands for blank.
      const range = said?.missing_values === undefined ? rangeOf(column) : null;
      return { name: column.name, range, said };
    });
  });
}

/** The range of a column of numbers that doubles can hold. */
function rangeOf(column: { type: string; min?: string | null; max?: string | null }): Range | null {
  if (column.type !== "number" || column.min == null || column.max == null) return null;
  const [min, max] = [Number(column.min), Number(column.max)];
  return Number.isFinite(min) && Number.isFinite(max) ? { min, max } : null;
}

/** Columns of one name in several tables: one range around both, or none where one of them has none. */
function join(one: Range | null, other: Range | null): Range | null {
  if (one === null || other === null) return null;
  return { min: Math.min(one.min, other.min), max: Math.max(one.max, other.max) };
}
