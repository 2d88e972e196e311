import { quoteName, type RowsRefusal, type RowsRefusalCode, refuse, refuseFields } from "../rows/plan.ts";

/** A question that turns out, while its rows are read, to have no exact answer. */
export class QueryRefused extends Error {
  override name = "QueryRefused";
  readonly refusal: RowsRefusal;
  constructor(refusal: RowsRefusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** The refusal of a question that takes too much. */
export function tooLarge(message: string): QueryRefused {
  const code: RowsRefusalCode = "too_large_to_read";
  return new QueryRefused(refuse(code, message));
}

/** A cell that a member of the question cannot take. */
export interface WrongCell {
  /** The member that needs the cell: `aggregate.0.column`. */
  field: string;
  column: string;
  /** From 0 in the order of the file. */
  row: number;
  text: string;
  isCsv: boolean;
  /** What the cell is not: `no number`. */
  fault: string;
}

const CELL_REFUSED = /^Column "(?:[^"\\]|\\.)*", row (\d+): /;

/** A refusal's sentence without the cell that it repeats, as the file's author wrote that. */
export function leaveOutCell(message: string): string {
  const row = CELL_REFUSED.exec(message)?.[1];
  return row === undefined
    ? message
    : `The cell in row ${row} cannot be taken here. Leave such cells out with blank or a filter.`;
}

const MOST_SHOWN = 60;

/** The refusal of a cell, by the column, the row (the header of a CSV is row 1) and the text. */
export function refuseCell({ field, column, row, text, isCsv, fault }: WrongCell): QueryRefused {
  const isShort = text.length <= MOST_SHOWN && !/[\r\n]/.test(text);
  const advice = isShort ? ` Leave it out with blank[]=${text}.` : " Leave it out with a filter.";
  const place = `Column ${quoteName(column)}, row ${row + (isCsv ? 2 : 1)}`;
  return new QueryRefused(refuseFields({ [field]: [`${place}: ${quoteName(text)} ${fault}.${advice}`] }));
}
