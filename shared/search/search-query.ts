import { listEnabledTopics, type TopicRow } from "../../sql/topics.ts";
import { listWords } from "../core/search/lexemes.ts";
import { countCodePoints } from "../core/text.ts";
import type { Deps } from "../deps.ts";
import { type FieldErrors, refuseFaults } from "../errors.ts";
import { toUlid } from "../ids.ts";
import { readPageQuery } from "../pagination.ts";
import { CREATION_TYPES } from "../payload/parse.ts";

/** A longer query is refused. */
export const QUERY_CHARACTERS = 200;
/** Further words of a query are ignored. */
export const QUERY_WORDS = 10;

/** A parsed search; `words` are folded and distinct, `query` is the text for its links. */
export interface SearchQuery {
  text: string;
  words: string[];
  topic: TopicRow | null;
  type: (typeof CREATION_TYPES)[number] | null;
  hasSources: boolean | null;
  page: number;
  query: Record<string, string>;
}

/**
 * Reads the query of a search address: an empty parameter counts as missing, only the first of repeated ones
 * counts, `q` is an alias of `query`. Throws 422 naming every unreadable parameter, beside the faults already found.
 */
export async function readSearchQuery(
  deps: Deps,
  parameters: Record<string, unknown>,
  filters: readonly ("topic" | "type" | "has_sources")[],
  faults: FieldErrors = {},
): Promise<SearchQuery> {
  const given = (name: string) => firstOf(parameters[name]);
  const text = given("query") ?? given("q") ?? "";
  const filter = (name: (typeof filters)[number]) => (filters.includes(name) ? given(name) : undefined);
  const [topic, type, sources] = [filter("topic"), filter("type"), filter("has_sources")];
  const errors = { ...faults };
  if (countCodePoints(text) > QUERY_CHARACTERS) {
    errors.query = [`The query may have at most ${QUERY_CHARACTERS} characters.`];
  }
  const search = {
    text,
    words: errors.query ? [] : listWords(text).slice(0, QUERY_WORDS),
    topic: await readTopic(deps, topic, errors),
    type: readType(type, errors),
    hasSources: readTruth(sources, errors),
    page: readPage(given("page"), errors),
    query: listGiven({ query: text === "" ? undefined : text, topic, type, has_sources: sources }),
  };
  refuseFaults(errors);
  return search;
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

async function readTopic(
  deps: Deps,
  value: string | undefined,
  errors: FieldErrors,
): Promise<TopicRow | null> {
  if (value === undefined) return null;
  const topic = await findTopic(deps, value);
  if (topic === null) errors.topic = ["There is no such topic; take its slug or id from GET /topics."];
  return topic;
}

/** An enabled topic, by slug or id. */
export async function findTopic(deps: Deps, slugOrId: string): Promise<TopicRow | null> {
  const id = toUlid(slugOrId);
  const topics = await listEnabledTopics(deps.pool);
  return topics.find((topic) => topic.slug === slugOrId || topic.id === id) ?? null;
}

function readType(value: string | undefined, errors: FieldErrors): SearchQuery["type"] {
  if (value === undefined) return null;
  const type = CREATION_TYPES.find((entry) => entry === value);
  if (type === undefined) errors.type = [`The type must be one of ${CREATION_TYPES.join(", ")}.`];
  return type ?? null;
}

function readTruth(value: string | undefined, errors: FieldErrors): boolean | null {
  if (value === undefined) return null;
  if (value !== "true" && value !== "false") errors.has_sources = ["The has_sources must be true or false."];
  return value === "true";
}

function readPage(value: string | undefined, errors: FieldErrors): number {
  if (value !== undefined && !/^0*[1-9]\d{0,8}$/.test(value)) {
    errors.page = ["The page must be a whole number of 1 or more."];
    return 1;
  }
  return readPageQuery({ page: value }, errors).page;
}
