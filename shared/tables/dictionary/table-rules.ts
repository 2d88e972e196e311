import type { ColumnType, FileFormat } from "../inspection/verdict.ts";
import { listTables, type RowsFile } from "../rows/plan.ts";
import type { ShownColumn, TableStats } from "../statistics/brief-columns.ts";
import type { ColumnForm } from "../statistics/column-form.ts";
import { readBound } from "./bounds.ts";

/** What a column holds where its missing values count as blank. */
export interface DescribedCells {
  name: string;
  type: ColumnType;
  blanks: number;
  form: ColumnForm;
  /** Set where a whole number is over 2^53. */
  isLong?: true;
}

/** A whole file and a line feed, and where the rows of a table begin in it. */
export interface TableBytes {
  bytes: Buffer;
  format: FileFormat;
  firstRowAt: number;
  /** Keeps an author from making a file whose cells all fall into one slot. */
  seed: number;
}

/** The column of another attachment in which values must occur. */
export interface ReferencedColumn {
  /** The place of the attachment in the payload. */
  attachment: number;
  /** Which top-level member of a JSON document holds the list; null when the whole file is the table. */
  position: number | null;
  label: string;
  column: string;
  /** What counts as blank in that column. */
  missing: readonly string[];
}

/** The rules of one column, each only where it has to be looked up in the bytes. */
export interface ColumnRules {
  name: string;
  /** Where sentences about it belong: `payload.attachments.0.dictionary.columns.1`. */
  path: string;
  missing: readonly string[];
  required: boolean;
  unique: boolean;
  minimum: string | null;
  maximum: string | null;
  categories: readonly string[] | null;
  reference: ReferencedColumn | null;
}

/** The rules of one table whose names are known to be right. */
export interface TableRules {
  attachment: number;
  position: number | null;
  path: string;
  tableColumns: readonly string[];
  rowCount: number;
  columns: ColumnRules[];
  /** The columns of the primary key with what counts as blank in each; null where there is none to look up. */
  primaryKey: { name: string; missing: readonly string[] }[] | null;
}

/** A rule that does not hold, or a name that is wrong. */
export interface RuleFault {
  path: string;
  sentence: string;
}

/** How many sentences a save is told of. */
export const MOST_FAULTS = 20;

/** Whether a column has anything to look up in the bytes. */
export function mustRead({
  required,
  unique,
  minimum,
  maximum,
  categories,
  reference,
  missing,
}: ColumnRules): boolean {
  const isBounded = minimum !== null || maximum !== null;
  // What a column holds beside its missing values is described, so it is read too.
  return required || unique || isBounded || categories !== null || reference !== null || missing.length > 0;
}

/** What was found out of a file before: its inspection, and its statistics where it has been measured. */
interface KnownFacts {
  file: RowsFile;
  stats: readonly TableStats[] | null;
}

/** The rules of a table without those that hold by what is known: they are not looked up in the bytes. */
export function leaveOutKnown(rules: TableRules, { file, stats }: KnownFacts): TableRules {
  const table = listTables(file).find(({ position }) => position === rules.position);
  const known = new Map(table?.columns.map(({ name, blanks }) => [name, blanks]));
  const measured = stats?.find((one) => one.table === (table?.name ?? null));
  const shown = new Map(measured?.columns.map((column) => [column.name, column]));
  const isFilled = (name: string) => known.get(name) === 0;
  const isDifferent = (name: string) => {
    const column = shown.get(name);
    return column !== undefined && column.distinct === column.count;
  };
  const [key, ...others] = rules.primaryKey ?? [];
  const isKey =
    key !== undefined &&
    others.length === 0 &&
    key.missing.length === 0 &&
    isFilled(key.name) &&
    isDifferent(key.name);
  return {
    ...rules,
    primaryKey: isKey ? null : rules.primaryKey,
    columns: rules.columns.map((column) => {
      // What counts as blank changes what a column holds.
      if (column.missing.length > 0) return column;
      const { name } = column;
      return {
        ...column,
        required: column.required && !isFilled(name),
        unique: column.unique && !isDifferent(name),
        ...leaveOutBounds(column, shown.get(name)),
      };
    }),
  };
}

/**
 * The bounds of a column that its smallest and largest number do not answer. Statistics round a number of more than a
 * hundred digits, so a bound of the same double is looked up.
 */
function leaveOutBounds(
  { minimum, maximum }: ColumnRules,
  shown: ShownColumn | undefined,
): Pick<ColumnRules, "minimum" | "maximum"> {
  if (shown?.type !== "number" || shown.min === null || shown.max === null) return { minimum, maximum };
  const [least, most] = [Number(shown.min), Number(shown.max)];
  return {
    minimum: isNumber(minimum) && least > Number(minimum) ? null : minimum,
    maximum: isNumber(maximum) && most < Number(maximum) ? null : maximum,
  };
}

function isNumber(bound: string | null): boolean {
  return bound !== null && readBound(bound)?.kind === "number";
}
