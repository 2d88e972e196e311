import { validationFailed } from "../../shared/errors.ts";

/** Refuses query parameters that a route of the agent interface does not know (contract section 9). */
export function refuseUnknownQuery(query: Record<string, unknown>, known: readonly string[]): void {
  const unknown = Object.keys(query).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const allowed = known.length === 0 ? "this address takes none" : `allowed: ${known.join(", ")}`;
  throw validationFailed(
    Object.fromEntries(unknown.map((name) => [name, [`There is no query parameter ${name}; ${allowed}.`]])),
  );
}

/**
 * Reads a parameter that takes one of a few words: null when left out, throws 422 on the parameter otherwise.
 */
export function readChoice<Choice extends string>(
  query: Record<string, unknown>,
  name: string,
  choices: readonly Choice[],
): Choice | null {
  const value = query[name];
  if (value === undefined) return null;
  const choice = choices.find((entry) => entry === value);
  if (choice === undefined)
    throw validationFailed({ [name]: [`The ${name} must be one of ${choices.join(", ")}.`] });
  return choice;
}
