import { type FieldErrors, Refusal, validationFailed } from "../../ground/errors.ts";

/** What becomes of a refusal: a write throws it, so that nothing else is looked at; a check notes it and goes on. */
export type Judge = (refusal: Refusal) => void;

/** The judge of every write. */
export const throwAtOnce: Judge = (refusal) => {
  throw refusal;
};

/** A step of a write whose faults of fields are thrown together, so that all can be corrected; else its first refusal. */
export async function throwTogether<T>(step: (judge: Judge) => Promise<T>): Promise<T> {
  const found: Refusal[] = [];
  const value = await step((refusal) => {
    found.push(refusal);
  }).catch((error: unknown) => {
    // A fault of the body stands, however busy the service is.
    if (error instanceof Refusal && found.some(isFault)) return null;
    throw error;
  });
  const [first] = found;
  if (first === undefined) return value as T;
  const faults = found.filter(isFault);
  throw faults.length > 0 ? joinFaults(faults) : first;
}

const isFault = ({ code }: Refusal) => code === "validation_failed";

function joinFaults(faults: readonly Refusal[]): Refusal {
  const errors = new Map<string, Set<string>>();
  for (const [field, sentences] of faults.flatMap((fault) => Object.entries(fault.errors)))
    errors.set(field, new Set([...(errors.get(field) ?? []), ...sentences]));
  const named = Array.from(errors, ([field, sentences]): [string, string[]] => [field, [...sentences]]);
  const hints = new Set(faults.map(({ hint }) => hint));
  const [hint] = hints;
  return validationFailed(Object.fromEntries(named), hints.size === 1 ? (hint ?? undefined) : undefined);
}

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
