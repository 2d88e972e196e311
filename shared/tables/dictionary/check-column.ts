import { type CodedColumn, createTextReader, KIND } from "../questions/coded-table.ts";
import { quoteName } from "../rows/plan.ts";
import { numberOfValue } from "../statistics/value-counts.ts";
import { type Bound, type BoundKind, readBound } from "./bounds.ts";
import { findFirstRepeat } from "./check-key.ts";
import { numberRow, showCell } from "./sentences.ts";
import type { ColumnRules, RuleFault } from "./table-rules.ts";
import type { ValueSet } from "./value-set.ts";

interface ColumnContext {
  isCsv: boolean;
  /** The values of the column that this one refers to. */
  set: ValueSet | null;
}

/** Looks up the rules of a column in its cells; notes each that does not hold with the first row that breaks it. */
export function checkColumn(
  rules: ColumnRules,
  column: CodedColumn,
  { isCsv, set }: ColumnContext,
  faults: RuleFault[],
): void {
  const textOf = createTextReader(column);
  const note = (member: string, sentence: string | null) => {
    if (sentence !== null) faults.push({ path: `${rules.path}.${member}`, sentence });
  };
  const noteFirst = (member: string, isWrong: (code: number) => boolean, why: (code: number) => string) => {
    const code = findFirstCode(column, isWrong);
    if (code === 0) return;
    const cell = showCell(textOf(code), column.kinds[code] === KIND.number);
    note(member, `Row ${numberRow(column.codes.indexOf(code), isCsv)} holds ${cell}, ${why(code)}.`);
  };
  if (rules.required) note("required", findBlank(column, isCsv));
  if (rules.unique) note("unique", findRepeat(column, textOf, isCsv));
  for (const [member, text, sign] of [
    ["minimum", rules.minimum, -1],
    ["maximum", rules.maximum, 1],
  ] as const) {
    const bound = text === null ? null : readBound(text);
    if (bound === null) continue;
    const compare = createComparison(column, bound, isCsv, textOf);
    const isBeyond = (code: number) => {
      const order = compare(code);
      return order === null || order * sign > 0;
    };
    noteFirst(member, isBeyond, (code) =>
      compare(code) === null ? explainKind(bound.kind) : `${sign < 0 ? "below" : "above"} ${bound.text}`,
    );
  }
  if (rules.categories !== null) {
    const known = new Set(rules.categories);
    noteFirst(
      "categories",
      (code) => !known.has(textOf(code)),
      () => "which is none of the categories",
    );
  }
  const { reference } = rules;
  if (reference !== null && set !== null)
    noteFirst(
      "references",
      (code) => !set.has(column, code),
      () => `which does not occur in ${quoteName(reference.column)} of ${quoteName(reference.label)}`,
    );
}

/** Codes have the order in which they appear, so the first that is wrong is that of the first row. */
function findFirstCode({ kinds }: CodedColumn, isWrong: (code: number) => boolean): number {
  for (let code = 1; code < kinds.length; code++)
    if (kinds[code] !== KIND.blank && isWrong(code)) return code;
  return 0;
}

function findBlank({ codes, kinds }: CodedColumn, isCsv: boolean): string | null {
  const row = codes.findIndex((code) => kinds[code] === KIND.blank);
  return row === -1 ? null : `Row ${numberRow(row, isCsv)} is blank.`;
}

function findRepeat(column: CodedColumn, textOf: (code: number) => string, isCsv: boolean): string | null {
  const { codes, kinds } = column;
  const found = findFirstRepeat(codes.length, kinds.length, (row) => {
    const code = codes[row] as number;
    return kinds[code] === KIND.blank ? -1 : code;
  });
  if (found === null) return null;
  const code = codes[found.row] as number;
  const cell = showCell(textOf(code), kinds[code] === KIND.number);
  return `Row ${numberRow(found.row, isCsv)} holds ${cell}, as row ${numberRow(found.first, isCsv)} does.`;
}

/** How the cell of a code compares with a bound; most numbers by their doubles, whose order is that of decimals. */
function createComparison(
  column: CodedColumn,
  { kind, text, compare }: Bound,
  isCsv: boolean,
  textOf: (code: number) => string,
): (code: number) => number | null {
  const { kinds } = column;
  if (kind !== "number") {
    const mayBeDate = (code: number) => isCsv || kinds[code] === KIND.text;
    return (code) => (mayBeDate(code) ? compare(textOf(code)) : null);
  }
  const values = {
    bytes: Buffer.from(column.bytes.buffer, column.bytes.byteOffset, column.bytes.byteLength),
    ends: column.ends,
  };
  const nearest = Number(text);
  return (code) => {
    if (kinds[code] !== KIND.number) return null;
    const double = numberOfValue(values, code);
    return double === nearest ? compare(textOf(code)) : double - nearest;
  };
}

const WRITTEN: Readonly<Record<Exclude<BoundKind, "number">, string>> = {
  month: "a month such as 2026-01",
  day: "a day such as 2026-01-31",
  time: "a time without a zone, as the bound is",
  "time with a zone": "a time with a zone, as the bound is",
};

function explainKind(kind: BoundKind): string {
  const what = kind === "number" ? "a number" : WRITTEN[kind];
  return `which is not ${what}; list it under missing_values where it stands for blank`;
}
