import { classifyCsvText, isDateText } from "../inspection/column-types.ts";
import type { ColumnType } from "../inspection/verdict.ts";
import { bufferOf, type CodedColumn, createTextReader, KIND } from "../questions/coded-table.ts";
import { type ColumnForm, findForm } from "../statistics/column-form.ts";
import { countValue, startCounts } from "../statistics/value-counts.ts";

/** What a column holds where its missing values count as blank. */
export interface DescribedCells {
  name: string;
  type: ColumnType;
  blanks: number;
  form: ColumnForm;
}

/** Describes a column by the cells that its missing values leave. */
export function describeCells(column: CodedColumn, isCsv: boolean, seed: number): DescribedCells {
  const { name, codes, kinds, ends } = column;
  const textOf = createTextReader(column);
  const bytes = bufferOf(column);
  const left = startCounts(seed);
  const types = new Set<ColumnType>();
  for (let code = 1; code < kinds.length; code++) {
    if (kinds[code] === KIND.blank) continue;
    types.add(kinds[code] === KIND.number ? "number" : typeOf(kinds[code] as number, textOf(code), isCsv));
    countValue(left, bytes, ends[code] as number, ends[code + 1] as number, 0);
  }
  let blanks = 0;
  for (const code of codes) if (kinds[code] === KIND.blank) blanks++;
  const [only = "blank", ...others] = types;
  const type = others.length > 0 ? "mixed" : only;
  return { name, type, blanks, form: findForm(type, left) };
}

function typeOf(kind: number, text: string, isCsv: boolean): ColumnType {
  if (isCsv) return classifyCsvText(text);
  switch (kind) {
    case KIND.boolean:
      return "boolean";
    case KIND.nested:
      return text.startsWith("{") ? "object" : "array";
    default:
      return isDateText(text) ? "date" : "text";
  }
}
