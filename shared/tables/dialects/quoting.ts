import type { Dialect } from "./dialect.ts";
import { type FileHead, splitHead } from "./file-head.ts";

/** Whether values of a file without double quotes begin with single ones, by which it is a table. */
export function haveSingleQuotes(head: FileHead, dialect: Dialect): boolean {
  const { bytes } = head;
  if (dialect.quoteChar !== undefined || bytes.includes('"') || !bytes.includes("'")) return false;
  return (
    isTable(head, { ...dialect, quoteChar: "'" }) &&
    splitHead(head, dialect).records.some((record) => record.some((cell) => cell.startsWith("'")))
  );
}

/** Whether a file is a table where a backslash before a quote makes it a part of the value. */
export function haveEscapes(head: FileHead, dialect: Dialect): boolean {
  return (
    dialect.escapeChar === undefined &&
    head.bytes.includes('\\"') &&
    isTable(head, { ...dialect, escapeChar: "\\" })
  );
}

function isTable(head: FileHead, dialect: Dialect): boolean {
  const { records, isBroken } = splitHead(head, dialect);
  const width = records[0]?.length ?? 0;
  return !isBroken && width > 1 && records.every((record) => record.length === width);
}
