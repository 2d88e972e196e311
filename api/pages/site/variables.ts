import { cutName, MOST_COLUMNS } from "../parts/words.ts";
import type { CreationPageView } from "./creation-view.ts";

/** What a dataset measures: each name of a column once, with the range of its numbers where the page may show it. */
export function listVariables({ files, showPreview }: CreationPageView): object[] {
  const found = new Map<string, Range | null>();
  for (const file of files) {
    for (const column of listColumns(file)) {
      const name = cutName(column.name);
      const range = showPreview ? column.range : null;
      const known = found.get(name);
      found.set(name, known === undefined ? range : join(known, range));
    }
  }
  return [...found].map(([name, range]) => ({
    "@type": "PropertyValue",
    name,
    ...(range && { minValue: range.min, maxValue: range.max }),
  }));
}

interface Range {
  min: number;
  max: number;
}

function listColumns({ stats, inspection }: CreationPageView["files"][number]) {
  const known = stats?.length ? stats.map(({ columns }) => columns) : [];
  const tables = known.length > 0 ? known : [inspection?.columns ?? []];
  return tables.flatMap((columns) =>
    columns.slice(0, MOST_COLUMNS).map((column) => ({ name: column.name, range: rangeOf(column) })),
  );
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
