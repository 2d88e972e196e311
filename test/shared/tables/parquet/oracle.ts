import { areCodes, isDate, typeOfCode, typeOfText } from "../inspection/oracle/cell-types.ts";
import { toFraction } from "../questions/oracle/numbers.ts";
import type { OracleTable } from "../rows/oracle/table.ts";

/** What a column has to be in Parquet, and each of its cells as a text that says its type too; null where it is blank. */
export interface TypedColumn {
  name: string;
  type: "INT64" | "DOUBLE" | "DATE" | "TIMESTAMP" | "BOOLEAN" | "JSON" | "STRING";
  cells: (string | null)[];
}

/** The typed reading of a table, by the contract and the documentation. */
export function readTyped({ columns, rows }: OracleTable, isCsv: boolean): TypedColumn[] {
  return columns.map((name, at) => {
    const cells = rows.map((row) => row[at] ?? { text: null, json: "null" });
    const filled = cells.flatMap(({ text, json }) => (text === null ? [] : [{ text, json }]));
    const texts = filled.map(({ text }) => text);
    const typeOfCell = areCodes(texts) ? typeOfCode : typeOfText;
    const kinds = new Set(filled.map(({ text, json }) => (isCsv ? typeOfCell(text) : typeOfJson(json))));
    const type = typeOf([...kinds], texts);
    return { name, type, cells: cells.map(({ text }) => (text === null ? null : writeCell(type, text))) };
  });
}

function typeOfJson(json: string): string {
  if (json.startsWith('"')) return isDate(JSON.parse(json)) ? "date" : "text";
  if (json.startsWith("{")) return "object";
  if (json.startsWith("[")) return "array";
  return json === "true" || json === "false" ? "boolean" : "number";
}

function typeOf(kinds: string[], texts: string[]): TypedColumn["type"] {
  if (kinds.length > 0 && kinds.every((kind) => kind === "object" || kind === "array")) return "JSON";
  if (kinds.length !== 1) return "STRING";
  if (kinds[0] === "boolean") return "BOOLEAN";
  if (kinds[0] === "number") return typeOfNumbers(texts);
  if (kinds[0] !== "date") return "STRING";
  if (texts.every((text) => text.length === 10)) return "DATE";
  return texts.every((text) => toMilliseconds(text) !== null) ? "TIMESTAMP" : "STRING";
}

function typeOfNumbers(texts: string[]): TypedColumn["type"] {
  if (texts.every((text) => /^-?\d+$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)))
    return new Set(texts).size > new Set(texts.map((text) => `${BigInt(text)}`)).size ? "STRING" : "INT64";
  const signed = (value: number) => (Object.is(value, -0) ? "-0" : String(value));
  if (new Set(texts).size > new Set(texts.map((text) => signed(Number(text)))).size) return "STRING";
  const most = texts.reduce((so, text) => Math.max(so, digitsOf(text).length), 0);
  const same = (write: (value: number) => string) =>
    texts.every((text) => {
      const value = Number(text);
      if (!Number.isFinite(value)) return false;
      if (value === 0) return digitsOf(text) === "";
      const [one, other] = [toFraction(text), toFraction(write(value))];
      return one.over * other.under === other.over * one.under;
    });
  const isLong = most > 15 && most <= 100;
  return same(String) || (isLong && same((value) => value.toPrecision(most))) ? "DOUBLE" : "STRING";
}

/** The digits before the exponent without zeros at either end. */
function digitsOf(text: string): string {
  const [mantissa = ""] = text.toLowerCase().split("e");
  return mantissa.replace(/[-.]/g, "").replace(/^0+/, "").replace(/0+$/, "");
}

const TIME = /^(.{10})[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:(Z)|([+-])(\d\d):?(\d\d)?)$/;

function toMilliseconds(text: string): number | null {
  const parts = TIME.exec(text);
  if (parts === null) return null;
  const [, day, minute, second = "00", fraction = "", , sign, hours = "0", minutes = "0"] = parts;
  if (/[1-9]/.test(fraction.slice(3))) return null;
  const local = Date.parse(`${day}T${minute}:${second}.${fraction.slice(0, 3).padEnd(3, "0")}Z`);
  const offset = 60_000 * (60 * Number(hours) + Number(minutes));
  return sign === "-" ? local + offset : local - offset;
}

function writeCell(type: TypedColumn["type"], text: string): string {
  if (type === "INT64") return `${BigInt(text)}`;
  if (type === "DOUBLE") return `double ${Object.is(Number(text), -0) ? "-0" : Number(text)}`;
  if (type === "DATE") return `day ${Date.parse(`${text}T00:00:00Z`) / 86_400_000}`;
  if (type === "TIMESTAMP") return `ms ${toMilliseconds(text)}`;
  if (type === "BOOLEAN") return `boolean ${text.toLowerCase()}`;
  return `text ${text}`;
}
