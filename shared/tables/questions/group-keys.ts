import { isDateText } from "../inspection/dates.ts";
import { type CodedColumn, comparedAs, createTextReader, KIND } from "./coded-table.ts";
import { type Exact, floorToStep, readExact, writeExact } from "./exact.ts";
import { NO_NUMBER, type QueryPlan, refuseCell, tooLarge } from "./plan.ts";
import type { DatePart, Group } from "./question.ts";

/** The characters of a written date that a part needs: 2026-01, 2026-01-31 or 2026-01-31T08. */
const NEEDED = { year: 4, quarter: 7, month: 7, week: 10, day: 10, hour: 13 } as const;

/** A part of a date as written, without any shift of zones: its text, or why there is none. */
function readDatePart(text: string, part: DatePart): { value: string } | { fault: string } {
  if (!isDateText(text)) return { fault: "is no date" };
  if (text.length < NEEDED[part]) return { fault: `has no ${part === "week" ? "day" : part}` };
  if (part === "quarter") {
    const quarter = Math.ceil(Number(text.slice(5, 7)) / 3);
    return { value: `${text.slice(0, 4)}-Q${quarter}` };
  }
  if (part === "week") return { value: writeWeek(text) };
  const cut = text.slice(0, NEEDED[part]);
  return { value: part === "hour" ? `${cut.slice(0, 10)}T${cut.slice(11)}` : cut };
}

const DAY_MS = 86_400_000;

/** The ISO 8601 week of a day: that of its Thursday. */
function writeWeek(text: string): string {
  const day = new Date(0);
  day.setUTCFullYear(Number(text.slice(0, 4)), Number(text.slice(5, 7)) - 1, Number(text.slice(8, 10)));
  const weekday = (day.getUTCDay() + 6) % 7;
  const thursday = new Date(day.getTime() + (3 - weekday) * DAY_MS);
  const year = thursday.getUTCFullYear();
  const newYear = new Date(0);
  newYear.setUTCFullYear(year, 0, 1);
  const week = 1 + Math.floor((thursday.getTime() - newYear.getTime()) / DAY_MS / 7);
  const sign = year < 0 ? "-" : "";
  return `${sign}${String(Math.abs(year)).padStart(4, "0")}-W${String(week).padStart(2, "0")}`;
}

/** The keys by which one column groups rows. */
export interface GroupKeys {
  /** The key of a row; 0 where its cell is blank. */
  keyOf(row: number): number;
  kind(key: number): number;
  text(key: number): string;
  /** How many keys there are once each row has been asked for its own. */
  size(): number;
  /** Whether answers show every key as a text: a CSV's own cells. */
  isText: boolean;
}

/** The keys of a column as written, or of parts of its dates or bins of its numbers. */
export function createGroupKeys(plan: QueryPlan, group: Group, column: CodedColumn): GroupKeys {
  const isCsv = plan.format === "csv";
  const { codes, kinds } = column;
  if (group.by !== null || group.step !== null) return deriveKeys(group, column, isCsv);
  const text = createTextReader(column);
  const keyOf = (row: number): number => {
    const code = codes[row] as number;
    return kinds[code] === KIND.blank ? 0 : code;
  };
  const kind = (key: number): number => comparedAs(column, key);
  return { keyOf, kind, text, size: () => kinds.length, isText: isCsv };
}

function deriveKeys(group: Group, column: CodedColumn, isCsv: boolean): GroupKeys {
  const { codes, kinds } = column;
  const derive = group.by === null ? createBins(group, column, isCsv) : createParts(group, column, isCsv);
  const texts = [""];
  const keys = new Map<string, number>();
  const keyOfCode = new Int32Array(kinds.length).fill(-1);
  const find = (code: number, row: number): number => {
    if (kinds[code] === KIND.blank) return 0;
    const text = derive(code, row);
    let key = keys.get(text);
    if (key === undefined) {
      key = texts.length;
      texts.push(text);
      keys.set(text, key);
    }
    return key;
  };
  const keyOf = (row: number): number => {
    const code = codes[row] as number;
    let key = keyOfCode[code] as number;
    if (key < 0) {
      key = find(code, row);
      keyOfCode[code] = key;
    }
    return key;
  };
  const filled = group.by === null ? KIND.number : KIND.text;
  const kind = (key: number): number => (key === 0 ? KIND.blank : filled);
  return { keyOf, kind, text: (key) => texts[key] ?? "", size: () => texts.length, isText: false };
}

type Derive = (code: number, row: number) => string;

function createParts(group: Group, column: CodedColumn, isCsv: boolean): Derive {
  const textOf = createTextReader(column);
  const { by } = group;
  return (code, row) => {
    const text = textOf(code);
    const part =
      by === null || (column.kinds[code] !== KIND.text && !isCsv)
        ? { fault: "is no date" }
        : readDatePart(text, by);
    if ("value" in part) return part.value;
    const field = `group.${group.index}.by`;
    throw refuseCell({ field, column: column.name, row, text, isCsv, fault: part.fault });
  };
}

function createBins(group: Group, column: CodedColumn, isCsv: boolean): Derive {
  const textOf = createTextReader(column);
  const step = readExact(group.step ?? "1") as Exact;
  return (code, row) => {
    const text = textOf(code);
    if (column.kinds[code] !== KIND.number) {
      const field = `group.${group.index}.step`;
      throw refuseCell({ field, column: column.name, row, text, isCsv, fault: NO_NUMBER });
    }
    const value = readExact(text);
    const edge = value === null ? null : writeExact(floorToStep(value, step));
    if (edge === null) throw tooLarge("A bin has over 10,000 digits. Filter such numbers out first.");
    return edge;
  };
}
