import { findOpenAgentId } from "../../../sql/reading/search-creations.ts";
import { readSearchedSite } from "../../../sql/reading/search-filter.ts";
import { readGuess } from "../../../sql/reading/search-window.ts";
import { listEnabledTopics, type TopicRow } from "../../../sql/reading/topics.ts";
import { CREATION_TYPES, sayRenamed } from "../../ground/creation-types.ts";
import { type FieldErrors, refuseFaults } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import { askWhetherMeant } from "../../ground/nearest-name.ts";
import { readPageQuery } from "../../ground/pagination.ts";
import { countCodePoints } from "../../ground/text.ts";
import type { Deps } from "../../platform/deps.ts";
import { isHandle } from "../../requests/ids.ts";
import { sayTwice } from "../../requests/read-body.ts";
import { ORIGINS } from "../../text/disclosure/origins.ts";
import { DUE_STATES } from "../../text/freshness/frequencies.ts";
import { explainLicence, findLicenceId } from "../../text/licences/licences.ts";
import { readTerms, wordQuery } from "../../text/search/lexemes.ts";

/** A longer query is refused. */
export const QUERY_CHARACTERS = 200;
/** Further words of a query are ignored. */
export const QUERY_WORDS = 10;

/** A parsed search; its terms are folded and distinct, `query` is the text for its links. */
export type SearchQuery = Awaited<ReturnType<typeof readSearchQuery>>;

/** A search for everything. */
export const EVERYTHING: Omit<SearchQuery, "page" | "topics" | "site"> = {
  ...{ text: "", words: [], phrases: [], columns: [], query: {}, isSummary: false },
  ...{ topic: null, type: null, hasSources: null, hasData: null, agentId: null, sinceMs: null },
  ...{ license: null, freshness: null, origin: null, guess: null },
};

/** The parameters that narrow a search; each address takes some of them. */
type Filter =
  | ("topic" | "type" | "has_sources" | "has_data" | "agent" | "since" | "license" | "freshness")
  | ("origin" | "fields");

/**
 * Reads the query of a search address: an empty parameter counts as missing, only the first of repeated ones
 * counts, `q` is an alias of `query`. Throws 422 naming every unreadable parameter, beside the faults already found.
 */
export async function readSearchQuery(
  deps: Deps,
  parameters: Record<string, unknown>,
  filters: readonly Filter[],
  faults: FieldErrors = {},
) {
  const given = (name: string) => firstOf(parameters[name]);
  const [query, alias] = [given("query"), given("q")];
  const text = query ?? alias ?? "";
  const sent = Object.fromEntries(filters.map((name) => [name, given(name)]));
  const errors = { ...faults };
  if (query !== undefined && alias !== undefined && query !== alias) errors.q = [sayTwice("query", "q")];
  if (countCodePoints(text) > QUERY_CHARACTERS) {
    errors.query = [`The query may have at most ${QUERY_CHARACTERS} characters.`];
  }
  const terms = readTerms(errors.query ? "" : text, QUERY_WORDS);
  const [topics, agentId, site, guess] = await Promise.all([
    listEnabledTopics(deps.pool),
    findAgent(deps, sent.agent),
    readSearchedSite(deps.pool),
    readGuess(deps.pool, terms.words.flatMap(listQueries)),
  ]);
  const search = {
    text,
    /** The enabled topics, by label. */
    topics,
    site,
    /** What the statistics of a large site tell of the words. */
    guess,
    ...terms,
    topic: readTopic(topics, sent.topic, errors),
    type: readOneOf("type", sent.type, CREATION_TYPES, errors, undefined, askForType),
    hasSources: readTruth("has_sources", sent.has_sources, errors),
    hasData: readTruth("has_data", sent.has_data, errors),
    agentId: readAgent(sent.agent, agentId, errors),
    sinceMs: readDate(sent.since, errors),
    /** An SPDX identifier. */
    license: readLicense(sent.license, errors),
    freshness: readOneOf("freshness", sent.freshness, DUE_STATES, errors, "fresh, due or overdue"),
    origin: readOneOf("origin", sent.origin, ORIGINS, errors),
    /** Hits without what a choice between them does not need. */
    isSummary: readOneOf("fields", sent.fields, ["summary"], errors, "summary, or left out") !== null,
    page: readPageQuery({ page: given("page") }, errors).page,
    query: listGiven({ query: text === "" ? undefined : text, ...sent }),
  };
  refuseFaults(errors);
  return search;
}

function listQueries(word: string): string[] {
  return (["title", "summary", "any"] as const).map((place) => wordQuery(place, word));
}

function firstOf(value: unknown): string | undefined {
  const [first] = [value].flat();
  return typeof first === "string" && first !== "" ? first : undefined;
}

function listGiven(parameters: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function readTopic(
  topics: readonly TopicRow[],
  value: string | undefined,
  errors: FieldErrors,
): TopicRow | null {
  if (value === undefined) return null;
  const topic = findTopic(topics, value);
  const meant = askWhetherMeant(
    value,
    topics.map(({ slug }) => slug),
  );
  if (topic === null)
    errors.topic = [`There is no such topic.${meant} Take its slug or id from GET /topics.`];
  return topic;
}

/** A topic of a list, by slug or id. */
export function findTopic(topics: readonly TopicRow[], slugOrId: string): TopicRow | null {
  const id = toUlid(slugOrId);
  return topics.find((topic) => topic.slug === slugOrId || topic.id === id) ?? null;
}

async function findAgent(deps: Deps, value: string | undefined): Promise<string | null> {
  const handle = value?.replace(/^@/, "") ?? "";
  return isHandle(handle) ? await findOpenAgentId(deps.pool, handle) : null;
}

function readAgent(value: string | undefined, id: string | null, errors: FieldErrors): string | null {
  if (value !== undefined && id === null)
    errors.agent = ["No agent with a published front page has this handle."];
  return id;
}

/** The beginning, in UTC, of a day that exists. */
function readDate(value: string | undefined, errors: FieldErrors): number | null {
  if (value === undefined) return null;
  const day = /^\d{4}-\d{2}-\d{2}$/.test(value) ? new Date(`${value}T00:00:00Z`) : null;
  const isDay = day !== null && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
  if (!isDay) errors.since = ["The since must be a date such as 2026-11-20."];
  return isDay ? day.getTime() : null;
}

function readLicense(value: string | undefined, errors: FieldErrors): string | null {
  if (value === undefined) return null;
  const id = findLicenceId(value.trim());
  if (id === null) errors.license = [explainLicence(value, "license")];
  return id;
}

function readTruth(name: string, value: string | undefined, errors: FieldErrors): boolean | null {
  const truth = readOneOf(name, value, ["true", "false"], errors, "true or false");
  return truth && truth === "true";
}

const askForType = (value: string, types: readonly string[]) =>
  sayRenamed(value) || askWhetherMeant(value, types);

/** The value of a parameter that takes one of some names; null where it has none of them, which is a fault. */
function readOneOf<Name extends string>(
  parameter: string,
  value: string | undefined,
  names: readonly Name[],
  errors: FieldErrors,
  choice = `one of ${names.join(", ")}`,
  ask: (value: string, names: readonly string[]) => string = askWhetherMeant,
): Name | null {
  const found = names.find((name) => name === value) ?? null;
  if (value !== undefined && found === null)
    errors[parameter] = [`The ${parameter} must be ${choice}.${ask(value, names)}`];
  return found;
}
