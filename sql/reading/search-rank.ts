import { z } from "zod";
import { type Db, type Fragment, sql } from "../connection/pool.ts";
import { ALL_TERMS } from "./search-terms.ts";

const RankedRow = z.strictObject({ total: z.number(), ids: z.array(z.string()), sizes: z.array(z.number()) });

/** One page of the works of lists, the highest sum of weights first, and how many each of the lists `few` holds. */
export async function rankHits(
  db: Db,
  lists: readonly Fragment[],
  part: { limit: number; offset: number; terms: number },
  few: readonly Fragment[] = [],
): Promise<z.infer<typeof RankedRow>> {
  if (lists.length + few.length === 0) return { total: 0, ids: [], sizes: [] };
  const names = few.map((_, place) => sql.identifier([`few_${place}`]));
  const counted = few.map((list, place) => sql.fragment`${names[place] ?? ""} AS MATERIALIZED ${list}, `);
  const all = [...lists, ...names.map((name) => sql.fragment`SELECT * FROM ${name}`)];
  const sizes = names.map((name) => sql.fragment`(SELECT count(*)::int FROM ${name})`);
  const bonus =
    part.terms > 1
      ? sql.fragment`CASE WHEN sum(h.terms) >= ${part.terms} THEN ${ALL_TERMS}::float8 ELSE 0 END`
      : sql.fragment`0`;
  return await db.one(sql.type(RankedRow)`
    WITH ${join(counted, sql.fragment``)} hits AS (${sql.join(all, sql.fragment` UNION ALL `)}),
      ranked AS MATERIALIZED (
        SELECT h.id, min(h.first_published_at) AS first_published_at, bool_or(h.retracted) AS retracted, sum(h.weight) + ${bonus} AS score
        FROM hits h GROUP BY h.id),
      page AS (
        SELECT r.id, row_number() OVER () AS place FROM (
          SELECT id FROM ranked ORDER BY retracted, score DESC, first_published_at DESC, id DESC
          LIMIT ${part.limit} OFFSET ${part.offset}) r)
    SELECT (SELECT count(*) FROM ranked) AS total, ARRAY(
      SELECT s.creation_id FROM page JOIN search_creations s ON s.id = page.id ORDER BY page.place) AS ids,
      ARRAY[${join(sizes, sql.fragment`, `)}]::int[] AS sizes`);
}

function join(parts: readonly Fragment[], between: Fragment): Fragment {
  return parts.length === 0 ? sql.fragment`` : sql.fragment`${sql.join(parts, between)}`;
}
