/** Which rows of a table a query asks for: conditions on columns, and words that a row holds. */

export const FILTER_OPS = ["eq", "ne", "gt", "gte", "lt", "lte", "contains"] as const;
export type FilterOp = (typeof FILTER_OPS)[number];
export const QUERY_OPS = [...FILTER_OPS, "in"] as const;
export type QueryOp = (typeof QUERY_OPS)[number];
export const MATCHES = ["all", "any"] as const;

/** A condition on a column of the table or, in `having`, of the grouped result. */
export interface Condition {
  /** The number by which refusals name it. */
  index: number;
  column: string;
  op: QueryOp;
  /** Null or empty: blank cells; null with `in` too. */
  value: string | null;
  /** Of `in`; an empty text stands for blank cells. */
  values: readonly string[];
}

export interface Selection {
  filters: Condition[];
  match: (typeof MATCHES)[number];
  /** Words that a cell of the row holds. */
  q: string | null;
  /** Texts that count as blank cells. */
  blank: string[];
}

/** Whether a selection asks anything of a row. */
export function hasConditions({ filters, q }: Selection): boolean {
  return filters.length > 0 || q !== null;
}
