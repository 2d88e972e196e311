import type { z } from "zod";
import { type FieldErrors, httpError, type Refusal, refuseFaults } from "../../shared/ground/errors.ts";
import { askWhetherMeant, findNameFaults } from "../../shared/ground/nearest-name.ts";
import { type PageQuery, readPageQuery } from "../../shared/ground/pagination.ts";

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

/** The faults of a query's names: each that is repeated or not in the schema; a schema of null has none. */
export function findQueryFaults(query: unknown, schema: z.ZodObject | null): FieldErrors {
  const sent = Object.entries(query as Record<string, unknown>);
  const names = sent.flatMap(([name, value]) => [value].flat().map(() => name));
  return findNameFaults(names, Object.keys(schema?.shape ?? {}));
}

/** The page of a list for people, whose addresses may hold more; throws 422 where the page is unreadable. */
export function readListPage({ page }: Record<string, unknown>, perPage: number): PageQuery {
  const faults: FieldErrors = {};
  const read = readPageQuery({ page }, faults, perPage);
  refuseFaults(faults);
  return read;
}

/** Whether a request asks for a resource without its long texts, by `fields=summary`. */
export function readSummaryWish(query: Record<string, unknown>, faults: FieldErrors): boolean {
  return readChoice(query, "fields", SUMMARY, faults) !== null;
}

/** What `fields` takes. */
export const SUMMARY = ["summary"] as const;

/** Reads a parameter that takes one of a few words: null when left out, a fault on the parameter otherwise. */
export function readChoice<Choice extends string>(
  query: Record<string, unknown>,
  name: string,
  choices: readonly Choice[],
  faults: FieldErrors,
): Choice | null {
  const value = query[name];
  if (value === undefined) return null;
  const choice = choices.find((entry) => entry === value);
  if (choice === undefined) {
    const meant = askWhetherMeant(String(value), choices);
    faults[name] ??= [`The ${name} must be one of ${choices.join(", ")}.${meant}`];
  }
  return choice ?? null;
}

/** What `format` of oEmbed takes; a site need not write both. */
export const EMBED_FORMATS = ["json", "xml"] as const;

/** The path of a request, percent-decoded as the router reads it, or as it came: `/%63onsole` is `/console`. */
export function readPath({ url }: { url: string }): string {
  const path = url.split("?", 1)[0] ?? "/";
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The slash at the end of the address that a client typed; a resource of OAuth is named with it. */
export function typedSlash(request: { url: string }): "" | "/" {
  return readPath(request).endsWith("/") ? "/" : "";
}
