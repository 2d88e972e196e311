import type { ColumnType } from "../../../../../shared/tables/inspection/verdict.ts";

/** The type of a filled CSV cell, by the table "Types of columns" of the documentation. */
export function typeOfText(text: string): ColumnType {
  if (isNumber(text)) return "number";
  if (isDate(text)) return "date";
  const small = text.toLowerCase();
  if (small !== "true" && small !== "false") return "text";
  const spellings = [small, small.toUpperCase(), small.charAt(0).toUpperCase() + small.slice(1)];
  return spellings.includes(text) ? "boolean" : "text";
}

/** Whether the numbers of a CSV column are codes: one has a digit behind a leading zero, or all are of the form 12E12. */
export function areCodes(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell !== "");
  const hasZero = filled.some((cell) => isNumber(cell) && /^0\d/.test(cell.replace("-", "")));
  return hasZero || filled.every((cell) => /^[0-9]{2,}E[0-9]+$/.test(cell));
}

/** The type of a filled cell of such a column. */
export function typeOfCode(text: string): ColumnType {
  const type = typeOfText(text);
  return type === "number" ? "text" : type;
}

const areDigits = (text: string): boolean =>
  text !== "" && [...text].every((sign) => sign >= "0" && sign <= "9");

function isNumber(text: string): boolean {
  const [mantissa = "", power = "0", ...powers] = text.replace(/^-/, "").split(/e/i);
  const [whole = "", fraction = "0", ...points] = mantissa.split(".");
  if (powers.length > 0 || points.length > 0) return false;
  return [whole, fraction, power.replace(/^[+-]/, "")].every(areDigits);
}

/** Whether a text is a day or a month that exists, alone or with a time of day. */
export function isDate(text: string): boolean {
  const [day, time] = [text.slice(0, 10), text.slice(10)];
  if (/^\d{4}-\d\d$/.test(text)) return isDate(`${text}-01`);
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return false;
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(day)) return false;
  return time === "" || isTime(time);
}

function isTime(text: string): boolean {
  const parts = /^[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?(?:Z|[+-](\d\d)(?::?(\d\d))?)?$/.exec(text);
  if (parts === null) return false;
  const [hour, minute, second, hours, minutes] = parts.slice(1).map((part) => Number(part ?? 0)) as number[];
  return [hour, hours].every((one = 0) => one < 24) && [minute, minutes, second].every((one = 0) => one < 60);
}
