import { z } from "zod";

/** A step that did not hold; its message names the step and the reason. */
export class StepFailure extends Error {
  override name = "StepFailure";
}

/** Runs one step of the play, prints its line with its time, and gives its result. */
export type Step = <T>(name: string, work: () => Promise<T>, tell?: (found: T) => string) => Promise<T>;

/** A runner of steps that prints through `print`, with a count of those that held. */
export function openSteps(print: (line: string) => void): { step: Step; count(): number } {
  let held = 0;
  const step: Step = async (name, work, tell) => {
    const startedMs = performance.now();
    try {
      const found = await work();
      held += 1;
      const detail = tell === undefined ? "" : `: ${tell(found)}`;
      print(`${(performance.now() - startedMs).toFixed(0).padStart(6)} ms  ${name}${detail}`);
      return found;
    } catch (error) {
      throw new StepFailure(`The step "${name}" failed: ${describe(error)}`);
    }
  };
  return { step, count: () => held };
}

function describe(error: unknown): string {
  if (error instanceof z.ZodError) return `the answer is not as expected\n${z.prettifyError(error)}`;
  if (!(error instanceof Error)) return String(error);
  // fetch hides the reason in a cause.
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

/** Throws with this sentence unless the condition holds. */
export function hold(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new Error(sentence);
}

/** Throws unless the text has every one of the parts; names the first that is missing. */
export function holdParts(what: string, text: string, parts: readonly string[]): void {
  const missing = parts.find((part) => !text.includes(part));
  hold(missing === undefined, `${what} lacks ${missing}`);
}
