import { Writable } from "node:stream";
import { flushLines } from "../../shared/platform/telemetry/line-batch.ts";
import { openLog } from "../../shared/platform/telemetry/log.ts";

/** A log of the service whose lines a test reads. */
export function captureLog(level = "trace") {
  let text = "";
  const sink = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  const read = () => {
    flushLines();
    return text;
  };
  return {
    log: openLog(level, "test", sink),
    text: read,
    lines: (): Record<string, unknown>[] =>
      read()
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line)),
  };
}
