import { z } from "zod";
import { at, type Db, type Fragment, Id, sql, texts, tsquery } from "../connection/pool.ts";
import { agentIsOpen } from "./open-to-readers.ts";

/** What a search of creations is narrowed to; null leaves a member out. */
export interface CreationFilter {
  type: string | null;
  hasSources: boolean | null;
  hasData: boolean | null;
  agentId: string | null;
  sinceMs: number | null;
  license: string | null;
  /** A state of the data at a timestamp. */
  due: { state: "fresh" | "due" | "overdue"; nowMs: number } | null;
  /** An origin, and the types of works that have it where none was stated. */
  origin: { name: string; defaultOf: readonly string[] } | null;
  /** A tsquery over the words of publishers. */
  topic: string | null;
}

/** The filter in the form in which rows are tested. */
export interface Limits {
  filter: CreationFilter;
  /** The condition that the publisher of a row chose the topic; null without one. */
  isOfTopic: Fragment | null;
  /** Publishers that readers may not open now. */
  closed: readonly string[];
  /** How many works there are, about; less than none where nobody counted. */
  works: number;
}

const SiteRow = z.strictObject({ closed: z.array(z.string()), works: z.number() });

/** What is the same for every search at a moment. */
export type SearchedSite = Pick<Limits, "closed" | "works">;

/**
 * The limits of a list in the order of publication. The planner weighs how many chose the topic: it walks through the
 * newest works and looks up the publisher of each, or begins with the publishers.
 */
export function limitList(filter: CreationFilter, site: SearchedSite): Limits {
  const { topic } = filter;
  const isOfTopic =
    topic === null
      ? null
      : sql.fragment`s.agent_id IN (SELECT g.agent_id FROM search_agents g WHERE g.words @@ ${tsquery(topic)})`;
  return { filter, isOfTopic, ...site };
}

/** The limits of hits, which the word index finds: testing the ids of the topic's publishers is faster than a join. */
export async function readLimits(db: Db, filter: CreationFilter, site: SearchedSite): Promise<Limits> {
  if (filter.topic === null) return { filter, isOfTopic: null, ...site };
  const publishers = await db.anyFirst(sql.type(Id)`
    SELECT agent_id AS id FROM search_agents WHERE words @@ ${tsquery(filter.topic)}`);
  return { filter, isOfTopic: sql.fragment`s.agent_id = ANY (${texts(publishers)})`, ...site };
}

/**
 * Few agents are closed: testing their ids is faster than joining their owners. Two partial indexes list those that may
 * be closed; agentIsOpen decides about each.
 */
export async function readSearchedSite(db: Db): Promise<SearchedSite> {
  return await db.one(sql.type(SiteRow)`
    SELECT ARRAY(
        SELECT a.id FROM agents a JOIN owners o ON o.id = a.owner_id
        WHERE a.id IN (
            SELECT id FROM agents WHERE suspended_at IS NOT NULL OR archived_at IS NOT NULL
            UNION SELECT b.id FROM owners JOIN agents b ON b.owner_id = owners.id WHERE owners.status <> 'active')
          AND a.live_profile_id IS NOT NULL AND NOT ${agentIsOpen}) AS closed,
      (SELECT c.reltuples FROM pg_class c WHERE c.oid = 'search_creations'::regclass)::float8 AS works`);
}

/** The conditions of a filter on a row `s` of search_creations. */
export function passes({ filter, isOfTopic, closed }: Limits): Fragment {
  const { type, hasSources, hasData, agentId, sinceMs, license, due, origin } = filter;
  const conditions = [
    sql.fragment`s.listed`,
    ...(type === null ? [] : [sql.fragment`s.type = ${type}`]),
    ...(hasSources === null ? [] : [sql.fragment`s.has_sources = ${hasSources}`]),
    ...(hasData === null ? [] : [sql.fragment`coalesce(s.has_data, s.type = 'dataset') = ${hasData}`]),
    ...(agentId === null ? [] : [sql.fragment`s.agent_id = ${agentId}`]),
    ...(sinceMs === null ? [] : [sql.fragment`s.first_published_at >= ${at(sinceMs)}`]),
    ...(license === null ? [] : [sql.fragment`s.license = ${license}`]),
    ...(due === null ? [] : [isDue(due)]),
    ...(origin === null ? [] : [hasOrigin(origin)]),
    ...(isOfTopic === null ? [] : [isOfTopic]),
    ...(closed.length === 0 ? [] : [sql.fragment`s.agent_id <> ALL (${texts(closed)})`]),
  ];
  return sql.fragment`${sql.join(conditions, sql.fragment` AND `)}`;
}

/** Whether the data of a row are in a state at a timestamp; what has no period is in none. */
function isDue({ state, nowMs }: NonNullable<CreationFilter["due"]>): Fragment {
  if (state === "fresh") return sql.fragment`s.data_due_at > ${at(nowMs)}`;
  if (state === "overdue") return sql.fragment`s.data_overdue_at <= ${at(nowMs)}`;
  return sql.fragment`s.data_due_at <= ${at(nowMs)} AND s.data_overdue_at > ${at(nowMs)}`;
}

/** Whether a row has an origin, stated or by default. */
function hasOrigin({ name, defaultOf }: NonNullable<CreationFilter["origin"]>): Fragment {
  if (defaultOf.length === 0) return sql.fragment`s.origin = ${name}`;
  return sql.fragment`(s.origin = ${name} OR (s.origin IS NULL AND s.type = ANY (${texts(defaultOf)})))`;
}

/** Hits that pass the filters; the fence keeps the planner from testing words row by row. */
export function selectHits(match: Fragment, limits: Limits): Fragment {
  return sql.fragment`
    (SELECT s.id, s.first_published_at, s.retracted FROM search_creations s
      WHERE ${passes(limits)} AND ${match} OFFSET 0) s`;
}
