import { type DestinationStream, type Logger, type LoggerOptions, pino, stdTimeFunctions } from "pino";
import { describeError } from "./describe-error.ts";
import { currentRequestContext } from "./request-context.ts";

/**
 * The log of one process: one JSON object per line, with the request behind it. No line holds a secret:
 * members that carry one are left out, and text that looks like one of ours is cut from the line. No line holds a
 * query either, and an error comes without the statement and the values that it carries.
 */
export function openLog(level: string, name: string, to?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    // Names and ISO times: what people search a log for, and what every collector reads without a table.
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    base: { process: name, pid: process.pid },
    serializers: { err: describeError },
    redact: SECRET_MEMBERS.flatMap((member) => [member, `*.${member}`, `*.*.${member}`]),
    hooks: { streamWrite: cutSecrets },
    // A request's own log has its id already.
    mixin: (_members, _level, logger) => (logger === log ? nameRequest() : {}),
  };
  const log: Logger = to === undefined ? pino(options) : pino(options, to);
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

/**
 * Cuts tokens, codes, queries, and in addresses those of sign-in links, claims, uploads and previews, and passwords; only a line made to show a sign-in
 * link may print one.
 */
export function cutSecrets(line: string): string {
  return (
    line
      .replace(/\b(bs[ter])_[A-Za-z0-9][A-Za-z0-9-]{15,}/g, "$1_[cut]")
      .replace(
        /(?<!"sign_in_link":"[^"]{0,300})\/(sign-in|claim|console\/email|uploads|preview)\/[\w-]{16,}/g,
        "/$1/[cut]",
      )
      // A query may hold quotes and backslashes, which a line of JSON escapes, but no blank and no line end.
      .replace(/\?(?:[^\s"\\]|\\[^n])+/g, "?[cut]")
      .replace(/(\w:\/\/[^\s/:@"]*):[^\s/@"]+@/g, "$1:[cut]@")
  );
}
