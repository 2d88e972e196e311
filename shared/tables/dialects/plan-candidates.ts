import type { Dialect } from "./dialect.ts";
import { type FileHead, type HeadRecords, listSeparators, splitHead } from "./file-head.ts";
import { findHeader } from "./plan-header.ts";
import { findNumberMembers } from "./plan-numbers.ts";

const EXCEL_LINE = /^sep=(.)\r?(?:\n|$)/i;

/**
 * The dialects by which the beginning of a file is a table, those of other separators than the comma first. None where
 * another separator stands in nearly all lines, and makes no table: the file is damaged, or somebody has to look at it.
 */
export function findCandidates(head: FileHead): Dialect[] {
  const named = EXCEL_LINE.exec(head.bytes.toString("utf8", 0, 16))?.[1];
  const separators = listSeparators(head).filter((separator) => named === undefined || separator === named);
  const found = separators.map((separator) => findCandidate(head, separator, named === undefined ? 0 : 1));
  const isRivalled =
    named === undefined &&
    separators.some((separator, at) => found[at] === null && separatesMostLines(head, separator));
  const candidates = found.filter((dialect) => dialect !== null);
  if (isRivalled) return [];
  // Commas below a row that other separators read as names are a part of the values.
  const rivals = candidates.some(({ delimiter, headerRows }) => delimiter !== "," && !headerRows)
    ? candidates.filter(({ delimiter, headerRows }) => delimiter !== "," || !headerRows)
    : candidates;
  return rivals.length < 2 ? rivals : rivals.map((dialect) => readAsToday(head, dialect));
}

/** A comma beside another separator is what the service reads without a plan, where it can. */
function readAsToday(head: FileHead, dialect: Dialect): Dialect {
  if (dialect.delimiter !== ",") return dialect;
  const plain = { delimiter: ",", ...head.implied };
  const { records, isBroken } = splitHead(head, plain);
  const header = findHeader(records, 0);
  const isPlain = !isBroken && header !== null && Object.keys(header).length === 0;
  return isPlain && !records.some((record) => record.some((cell) => /^ +"/.test(cell))) ? plain : dialect;
}

function findCandidate(head: FileHead, delimiter: string, start: number): Dialect | null {
  const dialect = { delimiter, ...head.implied };
  const plain = splitHead(head, dialect);
  const isSpaced = plain.records.every((record) =>
    record.slice(1).every((cell) => cell === "" || cell.startsWith(" ")),
  );
  const found = isSpaced || plain.isBroken ? null : describeTable(plain.records, dialect, start);
  if (found !== null) return found;
  const spaced = { ...dialect, skipInitialSpace: true };
  const { records, isBroken } = splitHead(head, spaced);
  return isBroken ? null : describeTable(records, spaced, start);
}

function describeTable(records: HeadRecords, dialect: Dialect, start: number): Dialect | null {
  const header = findHeader(records, start);
  if (header === null) return null;
  const first = header.headerRows?.[0] ?? (header.header === false ? start : start + 1);
  return { ...dialect, ...header, ...findNumberMembers(records.slice(first)) };
}

const QUOTED = /"[^"]*(?:"|$)/g;
/** Lines that may differ, in parts of all and in number: headers, notes, and what is damaged. */
const [PART, FEW] = [0.2, 2];

/** Whether nearly all lines have a separator outside of quotes, and equally many; a comma between digits may be a decimal mark. */
function separatesMostLines({ bytes }: FileHead, separator: string): boolean {
  const counts = new Map<number, number>();
  let lines = 0;
  for (const line of bytes.toString("utf8").split(/\r\n|\n|\r/)) {
    if (line === "") continue;
    const plain = line.replace(QUOTED, "");
    const count =
      (separator === "," ? plain.replace(/(?<=\d),(?=\d)/g, "") : plain).split(separator).length - 1;
    counts.set(count, (counts.get(count) ?? 0) + 1);
    lines++;
  }
  counts.delete(0);
  const most = Math.max(0, ...counts.values());
  return 2 * most > lines && lines - most <= Math.max(FEW, lines * PART);
}
