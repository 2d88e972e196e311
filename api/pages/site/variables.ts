import {
  type DictionaryColumn,
  findDictionary,
  findUnitCode,
} from "../../../shared/tables/dictionary/dictionary.ts";
import { cutName, MOST_COLUMNS } from "../parts/words.ts";
import type { CreationPageView } from "./creation-view.ts";

/**
 * What a dataset measures: each name of a column once, with the range of its numbers where the page may show it, and what
 * the first dictionary that has it says of it.
 */
export function listVariables({ files, showPreview }: CreationPageView): object[] {
  const found = new Map<string, { range: Range | null; said: DictionaryColumn | null }>();
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

/**
 * From when until when the rows of a dataset are, by the columns that its dictionaries call their time; null where the page
 * may not show it, and where there is none. Days are those that are written.
 */
export function coverTime({ files, showPreview }: CreationPageView): string | null {
  if (!showPreview) return null;
  const spans = files.flatMap(listColumns).flatMap(({ time }) => (time === null ? [] : [time]));
  const first = spans.map(({ from }) => from).sort()[0];
  const last = spans
    .map(({ to }) => to)
    .sort()
    .at(-1);
  return first === undefined || last === undefined ? null : `${first}/${last}`;
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
      const time = said?.role === "time" ? spanOf(column) : null;
      return { name: column.name, range: rangeOf(column), said, time };
    });
  });
}

interface Statistics {
  type: string;
  min?: string | null;
  max?: string | null;
}

/** The first and the last day, or month, of a column of dates. */
function spanOf({ type, min, max }: Statistics): { from: string; to: string } | null {
  if (type !== "date" || min == null || max == null) return null;
  return { from: min.slice(0, DAY_CHARACTERS), to: max.slice(0, DAY_CHARACTERS) };
}

const DAY_CHARACTERS = "2026-01-31".length;

function rangeOf(column: Statistics): Range | null {
  if (column.type !== "number" || column.min == null || column.max == null) return null;
  const [min, max] = [Number(column.min), Number(column.max)];
  return Number.isFinite(min) && Number.isFinite(max) ? { min, max } : null;
}

/** Columns of one name in several tables: one range around both, or none where one of them has none. */
function join(one: Range | null, other: Range | null): Range | null {
  if (one === null || other === null) return null;
  return { min: Math.min(one.min, other.min), max: Math.max(one.max, other.max) };
}
