import type { FilterOp } from "../../../../shared/tables/rows/conditions.ts";

/** A name or a text in quotes of SQL. */
export const quote = (text: string, mark: string) => mark + text.replaceAll(mark, mark + mark) + mark;

/** Texts that count as numbers, as a pattern in SQL. */
export const NUMBER = String.raw`'-?\d+(\.\d+)?([eE][+-]?\d+)?'`;
const SIGNS = { eq: "=", ne: "<>", gt: ">", gte: ">=", lt: "<", lte: "<=" };

/** A condition on a cell in SQL, which is null where the cell is blank. */
export function writeCondition(cell: string, op: FilterOp, value: string | null): string {
  if (value === null || value === "") return `${cell} IS ${op === "eq" ? "" : "NOT "}NULL`;
  const text = quote(value, "'");
  if (op === "contains") return `(${cell} IS NOT NULL AND contains(lower(${cell}), lower(${text})))`;
  const byText = `${cell} ${SIGNS[op]} ${text}`;
  const areNumbers = `regexp_full_match(${cell}, ${NUMBER}) AND regexp_full_match(${text}, ${NUMBER})`;
  const byNumber = `TRY_CAST(${cell} AS DOUBLE) ${SIGNS[op]} TRY_CAST(${text} AS DOUBLE)`;
  const compared = `CASE WHEN ${areNumbers} THEN ${byNumber} ELSE ${byText} END`;
  return op === "ne" ? `(${cell} IS NULL OR ${compared})` : `(${cell} IS NOT NULL AND ${compared})`;
}
