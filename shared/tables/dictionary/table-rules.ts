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
