import { type DestinationStream, type Logger, type LoggerOptions, pino, stdTimeFunctions } from "pino";
import { cutMembers, cutSecrets } from "./cut-secrets.ts";
import { describeError } from "./describe-error.ts";
import { currentRequestContext } from "./request-context.ts";

/**
 * The log of one process: one JSON object per line, with the request behind it. No line holds a secret: members that
 * carry one are redacted, and what looks like one of ours is cut from every text. No line holds a query either, and an
 * error comes without the statement and the values that it carries. Nobody waits for the reader of the log, and a
 * process that ends writes what it has.
 */
export function openLog(level: string, name: string, to?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    // Names and ISO times: what people search a log for, and what every collector reads without a table.
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }), log: cutMembers },
    base: { process: name, pid: process.pid },
    serializers: { err: describeError, msg: cutSecrets },
    redact: SECRET_MEMBERS.flatMap((member) => [member, `*.${member}`, `*.*.${member}`]),
    // A child may name a request itself.
    mixin: (_members, _level, logger) => (logger === log ? nameRequest() : {}),
  };
  // Each line is written at once; with a least length of 0, the library tells nobody that what it had is written.
  const log: Logger = pino(options, to ?? pino.destination({ sync: false, minLength: 1 }));
  return log;
}

const SECRET_MEMBERS = [
  "authorization",
  "cookie",
  '["set-cookie"]',
  "token",
  "password",
  "enrollment_code",
  "claim_url",
  "upload_url",
  "preview_url",
  "access_token",
  "refresh_token",
  "code_verifier",
  "csrf",
];

function nameRequest(): { request_id?: string } {
  const requestId = currentRequestContext()?.requestId;
  return requestId === undefined ? {} : { request_id: requestId };
}
