import type { IncomingHttpHeaders } from "node:http";
import { httpError, type Refusal } from "../../shared/ground/errors.ts";

/** A part of a file: its first and its last byte. */
export interface ByteRange {
  start: number;
  end: number;
}

// Several ranges, other units and what is no range do not match: the whole file answers them (RFC 9110, section 14.2).
const ONE_RANGE = /^bytes=[ \t]*(?:(\d+)-(\d*)|-(\d+))[ \t]*$/i;

/** The range that a client asks of a file; null for the whole file, "none" where it holds no byte of it. */
export function readRange(
  { range, "if-range": ifRange }: IncomingHttpHeaders,
  { etag, bytes }: { etag: string; bytes: number },
): ByteRange | "none" | null {
  // A weak tag and a date never match: no answer has them.
  if (ifRange !== undefined && ifRange !== etag) return null;
  const asked = ONE_RANGE.exec(range ?? "");
  if (asked === null) return null;
  const [, first, last, suffix] = asked;
  const start = first === undefined ? Math.max(0, bytes - Number(suffix)) : Number(first);
  const end = last === undefined || last === "" ? bytes - 1 : Number(last);
  if (end < start && last !== undefined && last !== "") return null;
  return start < bytes ? { start, end: Math.min(end, bytes - 1) } : "none";
}

/** 416: the range begins behind the file's last byte. */
export function refuseRange(bytes: number): Refusal {
  return httpError(
    416,
    `The file has ${bytes} bytes, and the range of the header Range holds none of them; ask for bytes=0-${bytes - 1} or a part of it.`,
  );
}
