import { type FieldErrors, Refusal, validationFailed } from "../errors.ts";

/** What becomes of a refusal: a write throws it, so that nothing else is looked at; a check notes it and goes on. */
export type Judge = (refusal: Refusal) => void;

/** The judge of every write. */
export const throwAtOnce: Judge = (refusal) => {
  throw refusal;
};

/** Tells the judge a refusal, if one was found. */
export function judgeFound(judge: Judge, refusal: Refusal | null): void {
  if (refusal !== null) judge(refusal);
}

/** Tells the judge the faults of a body that was read. */
export function judgeOutcome(judge: Judge, outcome: { ok: true } | { ok: false; errors: FieldErrors }): void {
  if (!outcome.ok) judge(validationFailed(outcome.errors));
}

/** What a step gives; null where it refuses, which the judge is told. Being busy is no refusal of what was sent. */
export async function attempt<T>(judge: Judge, step: () => T | Promise<T>): Promise<T | null> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof Refusal) || error.status === 429 || error.status >= 500) throw error;
    judge(error);
    return null;
  }
}
