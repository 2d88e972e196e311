import { pino } from "pino";
import { ConfigError } from "../../ground/errors.ts";
import { openLog } from "../telemetry/log.ts";
import { explainDatabaseFault } from "./explain-failure.ts";

/** Says on standard error why a process cannot start: a sentence on a terminal, a line of JSON elsewhere. */
export function reportStartFailure(name: string, error: unknown): void {
  const sentence = error instanceof ConfigError ? error.message : explainDatabaseFault(error);
  if (process.stderr.isTTY) {
    console.error(sentence ?? error);
    return;
  }
  const log = openLog("info", name, pino.destination({ dest: 2, sync: true }));
  if (sentence !== null) log.fatal(sentence);
  else log.fatal({ err: error }, `${name} cannot start`);
}
