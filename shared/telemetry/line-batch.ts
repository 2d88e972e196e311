import { type Logger, symbols } from "pino";

/** Lines of a log that are written together; each ends with a line end. */
export interface LineBatch {
  add(line: string): void;
  /** Writes what was added; before a line that another way writes, so that lines stay in order. */
  flush(): void;
}

/**
 * Collects finished lines, and writes those of one turn of the event loop at its end: under load a write for each takes
 * as long as the answer that it tells of. A process that is killed loses the lines of its last turn.
 */
export function openLineBatch(log: Logger): LineBatch {
  const stream = (log as unknown as Record<symbol, { write(text: string): void }>)[symbols.streamSym];
  if (stream === undefined) throw new Error("the log has no stream");
  let lines = "";
  const flush = () => {
    const text = lines;
    lines = "";
    if (text !== "") stream.write(text);
  };
  return {
    add(line) {
      if (lines === "") setImmediate(flush);
      lines += line;
    },
    flush,
  };
}
