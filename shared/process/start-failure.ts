import { pino } from "pino";
import { ConfigError } from "../errors.ts";
import { openLog } from "../telemetry/log.ts";

/** Says on standard error why a process cannot start: a sentence on a terminal, a line of JSON elsewhere. */
export function reportStartFailure(name: string, error: unknown): void {
  const isExpected = error instanceof ConfigError;
  if (process.stderr.isTTY) {
    console.error(isExpected ? error.message : error);
    return;
  }
  const log = openLog("info", name, pino.destination({ dest: 2, sync: true }));
  if (isExpected) log.fatal(error.message);
  else log.fatal({ err: error }, `${name} cannot start`);
}
