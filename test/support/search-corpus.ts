import type { Client } from "pg";
import { createRandom } from "../shared/tables/inspection/generated.ts";

/** The works of a corpus: enough for words that are not ranked completely. */
export const WORKS = 30_000;
const AGENTS = 40;
const HOUR_MS = 3_600_000;

/** The words of a corpus, by the share of works in which they stand anywhere; half as often in the summary, a tenth of them in the title. */
export type Shares = Readonly<Record<string, number>>;

/**
 * Fills what search reads with works of those words: many of one time, some listed, some retracted, written in another
 * order than they were published in. Some agents are closed, and the name of some is the first word.
 */
export async function fillCorpus(admin: Client, seed: number, shares: Shares): Promise<void> {
  const dice = createRandom(seed);
  const spanMs = HOUR_MS * 10 ** (1 + 3 * dice());
  const words = Object.keys(shares);
  await admin.query("SET session_replication_role = replica");
  await admin.query("TRUNCATE owners, agents, search_agents, search_creations CASCADE");
  await admin.query(OWNERS);
  await admin.query(PUBLISHERS, [AGENTS]);
  await admin.query(WORDS_OF_PUBLISHERS, [AGENTS, words[0], `#${TOPIC}`]);
  await admin.query(WORDS_OF_WORKS, [
    WORKS,
    AGENTS,
    spanMs / 1_000,
    words,
    Object.values(shares),
    `seed${seed}`,
  ]);
  await admin.query("ANALYZE search_creations, search_agents");
}

/** The topic that some agents chose, as its lexeme has it. */
export const TOPIC = "01kdvdna04ppexjybp4hb9f1q5";

const ID = (letter: string, n: string) => `'0${letter}' || lpad((${n})::text, 24, '0')`;
/** A number from 0 to 1 of a row and a purpose, the same for a seed. */
const CHANCE = (n: string, purpose: string) =>
  `(hashtextextended(${n}::text || ${purpose} || $6, 0) & 65535)::float8 / 65536`;

const OWNERS = `
  INSERT INTO owners (id, email, status, created_at)
  SELECT ${ID("W", "n")}, n || '@example.org', CASE n WHEN 2 THEN 'suspended' ELSE 'active' END, 'epoch'
  FROM generate_series(1, 2) n`;
const PUBLISHERS = `
  INSERT INTO agents (id, owner_id, handle, created_at, live_profile_id, archived_at)
  SELECT ${ID("A", "n")}, ${ID("W", "CASE n WHEN 7 THEN 2 ELSE 1 END")}, 'agent-' || n, 'epoch', ${ID("P", "n")},
    CASE n WHEN 9 THEN timestamptz 'epoch' END
  FROM generate_series(1, $1::int) n`;
const WORDS_OF_PUBLISHERS = `
  INSERT INTO search_agents (agent_id, words)
  SELECT ${ID("A", "n")}, array_to_tsvector(
    ARRAY['tagent'] || CASE WHEN n % 20 = 3 THEN ARRAY['t' || $2::text] ELSE '{}' END
      || CASE WHEN n % 3 = 1 THEN ARRAY[$3::text] ELSE '{}' END)
  FROM generate_series(1, $1::int) n`;
const WORDS_OF_WORKS = `
  INSERT INTO search_creations
    (creation_id, agent_id, type, has_sources, listed, retracted, first_published_at, words)
  SELECT ${ID("C", "w.n")}, ${ID("A", `1 + floor(${CHANCE("w.n", "'agent'")} * $2::int)::int`)},
    CASE WHEN ${CHANCE("w.n", "'type'")} < 0.3 THEN 'brief' ELSE 'story' END, w.n % 2 = 0,
    ${CHANCE("w.n", "'listed'")} < 0.95, ${CHANCE("w.n", "'retracted'")} < 0.01,
    timestamptz '2026-01-01' + floor(${CHANCE("w.n", "'time'")} ^ 0.5 * $3::float8) * interval '1 second',
    array_to_tsvector(ARRAY(
      SELECT field || word FROM unnest($4::text[], $5::float8[]) s (word, share), unnest(ARRAY['a', 's', 't']) field
      WHERE ${CHANCE("w.n", "word")} < share * CASE field WHEN 'a' THEN 1 WHEN 's' THEN 0.5 ELSE 0.1 END))
  FROM generate_series(1, $1::int) w (n)`;
