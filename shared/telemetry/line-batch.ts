import { type Logger, symbols } from "pino";

/** Lines of a log that are written together; each ends with a line end. */
export interface LineBatch {
  add(line: string): void;
  /** Writes what was added; before a line that another way writes, so that lines stay in order. */
  flush(): void;
}

/** Under load a line comes every 50 microseconds, and writing one takes as long as the answer that it tells of. */
const WRITE_AFTER_MS = 20;
/** A pipe takes this much without waiting for its reader. */
const MOST_CHARACTERS = 16 * 1024;

const unwritten = new Set<() => void>();
process.on("exit", flushLines);

/** Writes the lines of every batch now. */
export function flushLines(): void {
  for (const flush of unwritten) flush();
}

/**
 * Collects finished lines, and writes those of 20 milliseconds together. A process that ends writes what it has; one
 * that is killed loses the lines of its last 20 milliseconds.
 */
export function openLineBatch(log: Logger): LineBatch {
  const stream = (log as unknown as Record<symbol, { write(text: string): void }>)[symbols.streamSym];
  if (stream === undefined) throw new Error("the log has no stream");
  let lines = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    unwritten.delete(flush);
    const text = lines;
    lines = "";
    if (text !== "") stream.write(text);
  };
  return {
    add(line) {
      if (lines === "") {
        unwritten.add(flush);
        timer = setTimeout(flush, WRITE_AFTER_MS).unref();
      }
      lines += line;
      if (lines.length > MOST_CHARACTERS) flush();
    },
    flush,
  };
}
