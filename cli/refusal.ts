import { ConfigError, Refusal, refuse } from "../shared/ground/errors.ts";

/** Why a command cannot go on, in words for the operator; shown without a stack. */
export function refuseToRun(sentence: string): Refusal {
  return refuse("server_error", sentence);
}

/** The one sentence an operator sees for a failure: a refusal as it stands, anything else marked as unexpected. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Refusal || error instanceof ConfigError) return error.message;
  return `Something unexpected went wrong: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
