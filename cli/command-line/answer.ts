import { ConfigError, Refusal, refuseField } from "../../shared/ground/errors.ts";
import { writePrintableJson } from "../../shared/ground/text.ts";
import { FileStoreUnavailable } from "../../shared/platform/files/store.ts";
import { explainDatabaseFault } from "../../shared/platform/process/explain-failure.ts";
import { explainPlaceFault, sentenceOf } from "../refusal.ts";

/**
 * The outcome of a command: its one object, null where it has printed already, and whether it found a fault.
 */
export interface Outcome {
  answer: object | null;
  failed: boolean;
}

/** One JSON object on a line of standard output. */
export function printLine(object: object): void {
  process.stdout.write(`${writePrintableJson(object)}\n`);
}

/** Tells the operator something beside the answer: one JSON object on a line of standard error. */
export function printNotice(notice: string): void {
  process.stderr.write(`${writePrintableJson({ notice })}\n`);
}

/**
 * Prints a command's one JSON object on standard output, or its refusal on standard error; gives the exit
 * code.
 */
export async function printAnswer(work: () => Promise<Outcome>): Promise<number> {
  try {
    const { answer, failed } = await work();
    if (answer !== null) printLine(answer);
    return failed ? 1 : 0;
  } catch (error) {
    process.stderr.write(`${writePrintableJson({ error: describe(error) })}\n`);
    return 1;
  }
}

function describe(error: unknown): object {
  if (error instanceof Refusal) {
    const { code, message, errors } = error;
    return Object.keys(errors).length > 0 ? { code, message, errors } : { code, message };
  }
  if (error instanceof ConfigError) return { code: "validation_failed", message: error.message };
  // A full disk of a command's folder is no matter of FILES_URL.
  const place = explainPlaceFault(error instanceof FileStoreUnavailable ? error.cause : error);
  if (place !== null) return { code: "server_error", message: place };
  if (error instanceof FileStoreUnavailable)
    return { code: "server_error", message: `The file store fails (${error.message}): check FILES_URL.` };
  return { code: "server_error", message: explainDatabaseFault(error) ?? sentenceOf(error) };
}

/** A refusal of the typed command: an unknown command, a missing option, a value of the wrong form. */
export function refuseUsage(sentence: string): Refusal {
  return refuseField("command", sentence);
}
