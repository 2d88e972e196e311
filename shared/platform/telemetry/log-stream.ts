import { type DestinationStream, pino } from "pino";

/** Where a log is written, which takes finished lines as bytes too. */
export interface LogStream extends DestinationStream {
  /** Writes whole lines of UTF-8; the bytes are copied before this returns. */
  writeBytes(bytes: Buffer): void;
  /** Writes what waits, before a process ends. */
  flushSync(): void;
}

/**
 * Opens the standard output for a log, without waiting for its reader. It takes bytes: a text would be put into bytes
 * twice, by the write and once more when the write is done, and lines of requests are bytes already.
 */
export function openLogStream(): LogStream {
  const output = pino.destination({ dest: process.stdout.fd ?? 1, sync: false, contentMode: "buffer" });
  // The types know texts alone.
  const write = (bytes: Buffer) => void output.write(bytes as unknown as string);
  return {
    write: (text) => write(Buffer.from(text)),
    writeBytes: (bytes) => write(Buffer.from(bytes)),
    flushSync: () => output.flushSync(),
  };
}
