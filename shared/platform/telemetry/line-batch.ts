import { type DestinationStream, type Logger, symbols } from "pino";
import type { LogStream } from "./log-stream.ts";

/** Lines of a log that are written together; each ends with a line end. */
export interface LineBatch {
  add(line: string): void;
  /** Writes what was added; before a line that another way writes, so that lines stay in order. */
  flush(): void;
}

/** Under load a line comes every 50 microseconds, and writing one takes as long as the answer that it tells of. */
const WRITE_AFTER_MS = 20;
/** A pipe takes twice as much without waiting for its reader; each write wakes the reader. */
const MOST_BYTES = 64 * 1024;
/** A character of a string has at most three bytes of UTF-8. */
const BYTES_A_CHARACTER = 3;

const unwritten = new Set<() => void>();
process.on("exit", flushLines);

/** Writes the lines of every batch now. */
export function flushLines(): void {
  for (const flush of unwritten) flush();
}

/**
 * Collects finished lines, and writes those of 20 milliseconds together. A process that ends writes what it has; one
 * that is killed loses the lines of its last 20 milliseconds. Lines are kept as bytes: as one growing string they would
 * be objects for the garbage collection, and take three times as long.
 */
export function openLineBatch(log: Logger): LineBatch {
  const stream = (log as unknown as Record<symbol, DestinationStream & Partial<LogStream>>)[
    symbols.streamSym
  ];
  if (stream === undefined) throw new Error("the log has no stream");
  const bytes = Buffer.allocUnsafe(MOST_BYTES);
  let used = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    unwritten.delete(flush);
    const lines = bytes.subarray(0, used);
    used = 0;
    if (lines.length === 0) return;
    if (stream.writeBytes === undefined) stream.write(lines.toString());
    else stream.writeBytes(lines);
  };
  return {
    add(line) {
      const mostBytes = line.length * BYTES_A_CHARACTER;
      if (used + mostBytes > MOST_BYTES) flush();
      if (mostBytes > MOST_BYTES) return stream.write(line);
      if (used === 0) {
        unwritten.add(flush);
        timer = setTimeout(flush, WRITE_AFTER_MS).unref();
      }
      used += bytes.write(line, used);
    },
    flush,
  };
}
