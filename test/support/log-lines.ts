import { Writable } from "node:stream";
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
  return {
    log: openLog(level, "test", sink),
    text: () => text,
    lines: (): Record<string, unknown>[] =>
      text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line)),
  };
}
