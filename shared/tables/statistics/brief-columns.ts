import { shortenText } from "../../ground/text.ts";
import type { ColumnType } from "../inspection/verdict.ts";
import type { ColumnStats } from "./summarize-column.ts";

/** The statistics of a column as a page shows them: its smallest and largest number keep the digits of the file. */
export type ShownColumn = Omit<ColumnStats, "min" | "max"> & { min: string | null; max: string | null };

/** The statistics of one table of a file; `table` is the key of its list, null where the file itself is the table. */
export interface TableStats {
  table: string | null;
  row_count: number;
  columns: ShownColumn[];
  columns_left_out: number;
}

/** Reads stored statistics (`measure-table.ts`); a file that took too long to measure has none. */
export function readTableStats(json: string): TableStats[] {
  return JSON.parse(json, readMember);
}

function readMember(key: string, value: unknown, context?: { source?: string }): unknown {
  return (key === "min" || key === "max") && typeof value === "number"
    ? (context?.source ?? String(value))
    : value;
}

/** A column in few words: what a caller reads before the first question. */
export interface BriefColumn {
  name: string;
  type: ColumnType;
  count: number;
  distinct: number | null;
  /** Its figures as JSON text: numbers keep the digits of the file. */
  json: string;
  /** Whether its numbers name things: where its agent says so. */
  isIdentifier?: boolean;
}

/** One table of a file in few words; `table` is the key of its list, null where the file itself is the table. */
export type BriefTable = ReturnType<typeof readBriefTable>;

const TOP_VALUES = 3;
const VALUE_CHARACTERS = 40;

/** A number as the file writes it. */
class Digits {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What is read of a stored column: its smallest and largest value, and those in `top_values`, with their digits. */
type StoredColumn = Omit<ColumnStats, "min" | "max"> & { min: unknown; max: unknown };

/** Reads the stored statistics of one table (`measure-table.ts`) without quartiles, means and histograms. */
export function readBriefTable(json: string) {
  const stored: Omit<TableStats, "columns"> & { columns: StoredColumn[] } = JSON.parse(json, keepDigits);
  return {
    table: stored.table,
    rowCount: stored.row_count,
    columns: stored.columns.map(toBrief),
    /** Columns of a very wide file that are not measured. */
    columnsLeftOut: stored.columns_left_out,
  };
}

const EXACT = ["min", "max", "value"];

function keepDigits(key: string, value: unknown, context?: { source?: string }): unknown {
  const isExact = typeof value === "number" && EXACT.includes(key);
  return isExact ? new Digits(context?.source ?? String(value)) : value;
}

function toBrief({
  name,
  type,
  count,
  blanks,
  missing,
  distinct,
  distinct_over,
  min,
  max,
  top_values,
}: StoredColumn): BriefColumn {
  const top = top_values
    .slice(0, TOP_VALUES)
    .map(({ value, count: own }) => `{"value":${writeValue(value)},"count":${own}}`);
  const figures = JSON.stringify({ name, type, count, blanks, missing, distinct, distinct_over });
  const ends = `"min":${writeValue(min)},"max":${writeValue(max)}`;
  return { name, type, count, distinct, json: `${figures.slice(0, -1)},${ends},"top_values":[${top}]}` };
}

/** A value as JSON; of a long text, an object or a list the first characters. */
function writeValue(value: unknown): string {
  if (value instanceof Digits)
    return value.text.length > VALUE_CHARACTERS ? JSON.stringify(cut(value.text)) : value.text;
  if (typeof value === "string") return JSON.stringify(cut(value));
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return JSON.stringify(
    cut(JSON.stringify(value, (_, part) => (part instanceof Digits ? Number(part.text) : part))),
  );
}

const cut = (text: string): string => shortenText(text, VALUE_CHARACTERS);
