import { httpError, type Refusal, validationFailed } from "../../shared/errors.ts";

/**
 * The longest query of a request, in characters as sent. A client's request stays below, as all its headers together
 * have 16 KiB; the request of a tool may name a hundred columns.
 */
export const MOST_QUERY_CHARACTERS = 131_072;
/** Far more than any address takes; a query of short ones alone would take 50 ms to read. */
const MOST_QUERY_PARAMETERS = 1_000;

/** Refuses, with 414, an address whose query is too long to be read in a few milliseconds. */
export function refuseLongQuery(): Refusal {
  const most = `${MOST_QUERY_CHARACTERS} characters and ${MOST_QUERY_PARAMETERS} parameters`;
  return httpError(414, `The query of the address is too long: it may have ${most}.`);
}

/** Whether an address has a query that is too long to be read. */
export function hasLongQuery(url: string): boolean {
  if (url.length <= MOST_QUERY_PARAMETERS) return false;
  const at = url.indexOf("?");
  if (at === -1) return false;
  if (url.length - at - 1 > MOST_QUERY_CHARACTERS) return true;
  let parameters = 1;
  for (let next = url.indexOf("&", at); next !== -1; next = url.indexOf("&", next + 1)) {
    if (++parameters > MOST_QUERY_PARAMETERS) return true;
  }
  return false;
}

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
