import type { BriefColumn, BriefTable } from "./brief-columns.ts";

/** A column groups well where its values repeat and their groups can be read. */
const MOST_GROUPS = 50;

/** A question names at most so many texts that count as blank. */
const MOST_BLANK = 10;

type Suggested = {
  group: [{ column: string; by?: "year" }];
  aggregate?: [{ op: "avg"; column: string }];
  blank?: string[];
};

/** A question that a table answers, as the members of a question: a mean by the first column that groups well. */
export function suggestQuestion({ table, columns }: BriefTable): ({ table?: string } & Suggested) | null {
  const group = columns.find(isGroup);
  const date = columns.find(({ type, count }) => type === "date" && count > 0);
  const by = group ?? date;
  if (by === undefined) return null;
  const isFigure = ({ type, isIdentifier }: BriefColumn) => type === "number" && !isIdentifier;
  const number = columns.find((column) => isFigure(column) && column !== by);
  const missing = [by, ...(number === undefined ? [] : [number])].flatMap((column) => column.missing ?? []);
  return {
    ...(table !== null && { table }),
    group: [{ column: by.name, ...(group === undefined && { by: "year" as const }) }],
    ...(number !== undefined && { aggregate: [{ op: "avg", column: number.name }] }),
    ...(missing.length > 0 && { blank: [...new Set(missing)].slice(0, MOST_BLANK) }),
  };
}

function isGroup({ type, distinct, count }: BriefColumn): boolean {
  return (
    (type === "text" || type === "boolean") && distinct >= 1 && distinct <= MOST_GROUPS && distinct < count
  );
}
