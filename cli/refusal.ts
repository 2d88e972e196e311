import { ConfigError } from "../shared/config.ts";

/** A reason, in words for the operator, why a command cannot go on; shown without a stack. */
export class Refusal extends Error {
  override name = "Refusal";
}

/** The one sentence an operator sees for a failure: a refusal as it stands, anything else marked as unexpected. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Refusal || error instanceof ConfigError) return error.message;
  return `Something unexpected went wrong: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
