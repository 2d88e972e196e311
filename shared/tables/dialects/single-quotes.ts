import type { Dialect } from "./dialect.ts";
import { type FileHead, splitHead } from "./file-head.ts";

/** Whether values of a file without double quotes begin with single ones, by which it is a table. */
export function haveSingleQuotes(head: FileHead, dialect: Dialect): boolean {
  const { bytes } = head;
  if (dialect.quoteChar !== undefined || bytes.includes('"') || !bytes.includes("'")) return false;
  const { records, isBroken } = splitHead(head, { ...dialect, quoteChar: "'" });
  const [{ length: width } = []] = records;
  if (isBroken || width === undefined || width < 2) return false;
  const isTable = records.every((record) => record.length === width);
  return (
    isTable && splitHead(head, dialect).records.some((record) => record.some((cell) => cell.startsWith("'")))
  );
}
