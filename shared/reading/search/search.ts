import { type FoundPage, listFoundCreations } from "../../../sql/reading/found-creations.ts";
import { findAgents, listActiveAgents } from "../../../sql/reading/search-agents.ts";
import { findCreations, listNewestCreations } from "../../../sql/reading/search-creations.ts";
import type { CreationFilter } from "../../../sql/reading/search-filter.ts";
import { MOST_HITS } from "../../../sql/reading/search-lists.ts";
import type { SoughtTerms } from "../../../sql/reading/search-terms.ts";
import type { TopicRow } from "../../../sql/reading/topics.ts";
import { currentRequester } from "../../platform/concurrency/places.ts";
import type { Deps } from "../../platform/deps.ts";
import { readProfile } from "../../requests/profile.ts";
import { GENERATED_TYPES } from "../../text/disclosure/origins.ts";
import {
  beginsWordOf,
  columnQuery,
  cutWord,
  foldForSearch,
  listWords,
  topicQuery,
  wordQuery,
} from "../../text/search/lexemes.ts";
import { listExcerpts } from "./index-words.ts";
import { type FoundCreation, presentFoundAgent, presentFoundCreation } from "./present-found.ts";
import type { SearchQuery } from "./search-query.ts";

/** The results of a page. */
export const RESULTS_PER_PAGE = 20;
/** The number at which counts of results stop. */
export const MOST_RESULTS = MOST_HITS;

/** A topic's works are counted so far beyond the page that is shown. */
const COUNTED_AHEAD = 50 * RESULTS_PER_PAGE;

/** One page of results; `total` stops at 10,000 or before, and `countStops` says that there may be more. */
export interface SearchResults<Item> {
  items: Item[];
  total: number;
  countStops: boolean;
  part: { page: number; perPage: number };
}

/** Public creations that match a search, the best match first; without words, the newest first. */
export async function searchCreations(
  deps: Deps,
  search: SearchQuery,
): Promise<SearchResults<FoundCreation>> {
  const { total, rows } = await findRows(deps, search, true);
  const excerpts = await listExcerpts(deps.pool, search, rows);
  return frameResults(
    search,
    { total },
    rows.map((row, place) => ({
      ...presentFoundCreation(deps, search.topics, row),
      excerpt: excerpts[place] ?? null,
    })),
  );
}

/** The same as cards of a page, which show no excerpts. */
export async function searchCards(
  deps: Deps,
  search: SearchQuery,
): Promise<SearchResults<Omit<FoundCreation, "excerpt">>> {
  return frameCards(deps, search, await findRows(deps, search, false));
}

/**
 * The newest works of a search without words, as cards. A page of a topic tells how many pages there are where they are
 * few: counting more takes longer than reading those that are shown.
 */
export async function listNewestCards(deps: Deps, search: SearchQuery): ReturnType<typeof searchCards> {
  const part = partOf(search);
  // A page behind the last one that a count can name leads back to that one.
  const most = part.limit === 0 ? MOST_HITS : Math.min(part.offset + COUNTED_AHEAD, MOST_HITS);
  const within = { filter: filterOf(deps, search), site: search.site };
  const page = await listNewestCreations(deps.pool, within, { ...part, hasOpening: false, most });
  return frameCards(deps, search, { ...page, most });
}

async function findRows(deps: Deps, search: SearchQuery, hasOpening: boolean): Promise<FoundPage> {
  const within = { filter: filterOf(deps, search), site: search.site, guess: search.guess };
  const part = partOf(search);
  const sought = toSoughtTerms(search);
  if (sought.words.length + sought.phrases.length === 0) {
    return await listNewestCreations(deps.pool, within, { ...part, hasOpening, most: MOST_HITS });
  }
  const { total, ids } = await deps.searchSemaphore(currentRequester(), () =>
    findCreations(deps.pool, sought, within, part),
  );
  return { total, rows: [...(await listFoundCreations(deps.pool, ids, hasOpening))] };
}

function toSoughtTerms({ topics, columns, ...terms }: SearchQuery): SoughtTerms {
  const words = terms.words.map((word) => ({
    title: wordQuery("title", word),
    summary: wordQuery("summary", word),
    any: wordQuery("any", word),
    publisherName: wordQuery("title", word),
    publisherTopics: listTopicQueries(topics, word),
  }));
  const phrases = terms.phrases.map((folded) => ({
    folded,
    any: folded
      .split(" ")
      .map((word) => wordQuery("any", cutWord(word)))
      .join(" & "),
    publisherTopics: topics
      .filter(({ label }) => ` ${foldForSearch(label)} `.includes(` ${folded} `))
      .map(({ id }) => topicQuery(id)),
  }));
  return { words, phrases, columns: columnQuery(columns) };
}

/** The filters of a search, with the time at which data are due. */
function filterOf(deps: Deps, search: SearchQuery): CreationFilter {
  const { type, hasSources, hasData, agentId, sinceMs, license, freshness, origin } = search;
  return {
    ...{ type, hasSources, hasData, agentId, sinceMs, license },
    topic: search.topic === null ? null : topicQuery(search.topic.id),
    due: freshness && { state: freshness, nowMs: deps.now() },
    origin: origin && { name: origin, defaultOf: origin === "generated" ? GENERATED_TYPES : [] },
  };
}

/** Agents with a public front page that match a search, the best match first; without words, the last active first. */
export async function searchAgents(
  deps: Deps,
  search: SearchQuery,
): Promise<SearchResults<ReturnType<typeof presentFoundAgent>>> {
  const { total, rows } = await findAgentRows(deps, search, true);
  return frameResults(
    search,
    { total },
    rows.map((row) => presentFoundAgent(deps, search.topics, row)),
  );
}

/** The same as cards of a page, which show their designs and not how many there are. */
export async function searchAgentCards(deps: Deps, search: SearchQuery) {
  const { rows } = await findAgentRows(deps, search, false);
  return rows.map((row) => ({
    ...presentFoundAgent(deps, search.topics, row),
    design: readProfile(row.profile).design,
  }));
}

async function findAgentRows(deps: Deps, search: SearchQuery, isCounted: boolean) {
  const { topics } = search;
  // A profile has no text that phrases are looked for in: their words count one by one.
  const sought = new Set([...search.words, ...search.phrases.flatMap((phrase) => listWords(phrase))]);
  const words = [...sought].map((word) => ({
    name: wordQuery("title", word),
    tagline: wordQuery("summary", word),
    any: [wordQuery("any", word), ...listTopicQueries(topics, word)].join(" | "),
  }));
  const topic = search.topic === null ? null : topicQuery(search.topic.id);
  return words.length === 0
    ? await listActiveAgents(deps.pool, topic, { ...partOf(search), isCounted })
    : await findAgents(deps.pool, words, topic, partOf(search));
}

/** Limits the rows to the last page that a count can name. */
function partOf({ page }: SearchQuery): { limit: number; offset: number } {
  const offset = (page - 1) * RESULTS_PER_PAGE;
  return offset < MOST_HITS ? { limit: RESULTS_PER_PAGE, offset } : { limit: 0, offset: 0 };
}

function frameCards(deps: Deps, search: SearchQuery, found: FoundPage & { most?: number }) {
  const cards = found.rows.map((row) => presentFoundCreation(deps, search.topics, row));
  return frameResults(search, found, cards);
}

function frameResults<Item>(
  { page }: SearchQuery,
  { total, most = MOST_HITS }: { total: number; most?: number },
  items: Item[],
): SearchResults<Item> {
  const part = { page, perPage: RESULTS_PER_PAGE };
  return { items, total: Math.min(total, most), countStops: total >= most, part };
}

/** Topics match by their words at the time of the search, and only enabled ones. */
function listTopicQueries(topics: readonly TopicRow[], word: string): string[] {
  return topics
    .filter(({ slug, label }) => beginsWordOf(word, `${label} ${slug}`))
    .map(({ id }) => topicQuery(id));
}
