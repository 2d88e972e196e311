import { countNoun } from "../../ground/text.ts";
import type { HeadRecords } from "./file-head.ts";
import { findLikeness } from "./plan-header.ts";

/** A blank line behind which the header comes again, other names, or rows of another width. */
export function findTwoTables(records: HeadRecords): string | null {
  const blank = records.findIndex((record, at) => at > 0 && record.length === 0);
  const next = records.findIndex((record, at) => at > blank && record.length > 0);
  const width = records[blank - 1]?.length ?? 0;
  const [header, other = []] = [records.find((record) => record.length === width), records[next]];
  if (width < 2 || other.length < 2) return null;
  const isNamed =
    header?.join() === other.join() || findLikeness(other, records.slice(next + 1)) === "different";
  if (width === other.length && !isNamed) return null;
  return `Behind the blank line another table seems to begin, in row ${next + 1}. Upload each table as a file of its own.`;
}

/** Fewer rows than this may be notes, or damaged. */
const LEAST_ROWS = 3;

/** A row from which on all have another width than all above. */
export function findOtherWidth(records: HeadRecords): string | null {
  const width = records[0]?.length ?? 0;
  const at = records.findIndex((record) => record.length !== width);
  const below = records.slice(at);
  const other = below[0]?.length ?? 0;
  if (at < LEAST_ROWS || below.length < LEAST_ROWS || Math.min(width, other) < 2) return null;
  if (below.some((record) => record.length !== other)) return null;
  return `From row ${at + 1} on every row has ${countNoun(other, "value")}, above it ${width}: another table seems to begin there, or another column. Upload each table as a file of its own, or give every row one value per column.`;
}
