import { ConfigError, Refusal, refuse } from "../shared/ground/errors.ts";

/** Why a command cannot go on, in words for the operator; shown without a stack. */
export function refuseToRun(sentence: string): Refusal {
  return refuse("server_error", sentence);
}

/** What the system is asked for a file or a folder, and why it refuses that. */
const ASKED = new Set<unknown>(["mkdir", "open", "write"]);
const REFUSED = new Set<unknown>([
  ...["EACCES", "EDQUOT", "EEXIST", "ENOENT", "ENOSPC", "ENOTDIR", "EPERM", "EROFS"],
]);

/** Why a file or a folder cannot be opened or made; null for any other error. */
export function explainPlaceFault(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { message, syscall, code } = error as NodeJS.ErrnoException;
  if (!ASKED.has(syscall) || !REFUSED.has(code)) return null;
  return `The system refuses a file or a folder (${message}): free space, or name a place where this user may read and write.`;
}

/** The one sentence an operator sees for a failure: a refusal as it stands, anything else marked as unexpected. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Refusal || error instanceof ConfigError) return error.message;
  const unexpected = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return explainPlaceFault(error) ?? `Something unexpected went wrong: ${unexpected}`;
}
