import type { Client } from "pg";
import { listLexemes } from "../../shared/text/search/lexemes.ts";
import { seededRandom } from "../support/seeded-csv.ts";

/** What the rows are made of: a few thousand paragraphs, of which each work has three and a title of its own. */
const VOCABULARY = 20_000;
const PARAGRAPHS = 6_000;
const WORDS_A_PARAGRAPH = 70;
const TITLES = 20_000;
const AGENTS = 500;
/** The word that stands in half of all works. */
export const COMMON_WORD = "everyhalf";

/** Fills a migrated database with public creations; words follow Zipf's law, as those of any language do. */
export async function fillWithCreations(client: Client, creations: number): Promise<void> {
  const dice = seededRandom(7);
  const vocabulary = Array.from({ length: VOCABULARY }, () => makeWord(dice));
  const draw = () => vocabulary[Math.floor(VOCABULARY ** dice()) - 1] ?? "word";
  const sentence = (length: number) => Array.from({ length }, draw).join(" ");
  await client.query(
    "CREATE TEMP TABLE parts (kind text, n int, text text, words text[], PRIMARY KEY (kind, n))",
  );
  await addParts(client, "body", PARAGRAPHS, (n) => {
    const others = `${sentence(WORDS_A_PARAGRAPH)}${n % 10 < 2 ? ` ${COMMON_WORD}` : ""}`;
    return { text: others, words: listLexemes({ title: "", summary: "", others }) };
  });
  await addParts(client, "title", TITLES, () => {
    const [title, summary] = [sentence(6), sentence(18)];
    return { text: `${title} ${summary}`, words: listLexemes({ title, summary, others: "" }) };
  });
  await client.query(OWNERS_AND_AGENTS, [AGENTS]);
  await client.query(LIVE_PROFILES);
  await client.query("BEGIN");
  await client.query(CREATIONS, [creations, AGENTS]);
  await client.query(REVISIONS, [creations, TITLES]);
  // An index that is built at the end is built in seconds; the migration's own words for it, to be sure.
  const index = await client.query<{ indexdef: string }>(
    "SELECT indexdef FROM pg_indexes WHERE indexname = 'search_creations_found_idx'",
  );
  await client.query("DROP INDEX search_creations_found_idx");
  await client.query(WORDS, [creations, PARAGRAPHS, TITLES]);
  await client.query(index.rows[0]?.indexdef ?? "");
  await client.query("COMMIT");
  await client.query("VACUUM ANALYZE");
}

/** Two words of one work's text, as often as they stand in texts. */
export async function drawQueries(client: Client, count: number): Promise<string[]> {
  const dice = seededRandom(11);
  const { rows } = await client.query<{ text: string }>("SELECT text FROM parts ORDER BY kind, n");
  const pick = <T>(list: readonly T[]) => list[Math.floor(dice() * list.length)];
  return Array.from({ length: count }, () => {
    const words = (pick(rows)?.text ?? "").split(" ");
    return `${pick(words)} ${pick(words)}`;
  });
}

/** Gives the text of each work, in their order. */
export async function readTexts(
  client: Client,
  creations: number,
  take: (n: number, text: string) => void,
): Promise<void> {
  const batch = 5_000;
  for (let first = 1; first <= creations; first += batch) {
    const last = Math.min(first + batch - 1, creations);
    const { rows } = await client.query<{ n: number; text: string }>(TEXTS, [
      first,
      last,
      PARAGRAPHS,
      TITLES,
    ]);
    for (const { n, text } of rows) take(n, text);
  }
}

function makeWord(dice: () => number): string {
  const pick = (letters: string) => letters[Math.floor(dice() * letters.length)] ?? "a";
  const syllables = 1 + Math.floor(dice() * 4);
  return Array.from(
    { length: syllables },
    () => pick("bdfghklmnprstvwz") + pick("aeiou") + pick("lnrst"),
  ).join("");
}

async function addParts(
  client: Client,
  kind: string,
  count: number,
  make: (n: number) => { text: string; words: string[] },
): Promise<void> {
  const parts = Array.from({ length: count }, (_, n) => ({ n, ...make(n) }));
  await client.query(
    `INSERT INTO parts SELECT $1, (part ->> 'n')::int, part ->> 'text',
       ARRAY(SELECT json_array_elements_text(part -> 'words')) FROM json_array_elements($2::json) AS part`,
    [kind, JSON.stringify(parts)],
  );
}

const START = "timestamptz '2026-01-01T00:00:00Z'";
const ID = (letter: string, n: string) => `'0${letter}' || lpad(${n}::text, 24, '0')`;

const OWNERS_AND_AGENTS = `
  WITH owner AS (
    INSERT INTO owners (id, email, created_at)
    SELECT ${ID("W", "n")}, 'owner' || n || '@example.org', ${START} FROM generate_series(1, $1) n
  ), agent AS (
    INSERT INTO agents (id, owner_id, handle, created_at, claimed_at)
    SELECT ${ID("A", "n")}, ${ID("W", "n")}, 'agent-' || n, ${START}, ${START} FROM generate_series(1, $1) n
  ), contact AS (
    INSERT INTO agent_contacts (agent_id, last_seen_at)
    SELECT ${ID("A", "n")}, ${START} FROM generate_series(1, $1) n
  ), profile AS (
    INSERT INTO profile_revisions (id, agent_id, revision_number, state, profile, checksum, created_at, published_at)
    SELECT ${ID("P", "n")}, ${ID("A", "n")}, 1, 'published',
      json_build_object('display_name', 'Agent ' || n, 'topic_ids', json_build_array()), repeat('0', 64), ${START},
      ${START}
    FROM generate_series(1, $1) n
  ), live AS (
    INSERT INTO search_agents (agent_id, words)
    SELECT ${ID("A", "n")}, array_to_tsvector(ARRAY['tagent', 'aagent', 't' || n, 'a' || n])
    FROM generate_series(1, $1) n
  )
  SELECT 1`;
const LIVE_PROFILES = `UPDATE agents SET live_profile_id = '0P' || substr(id, 3), latest_profile_id = '0P' || substr(id, 3)`;
const CREATIONS = `
  INSERT INTO creations (id, agent_id, type, slug, visibility, latest_revision_id, latest_revision_number,
    live_revision_id, first_published_at, updated_at, created_at)
  SELECT ${ID("C", "n")}, ${ID("A", "(1 + n % $2::int)")}, 'story', 'work-' || n, 'public', ${ID("R", "n")}, 1, ${ID("R", "n")},
    ${START} + n * interval '1 second', ${START} + n * interval '1 second', ${START} + n * interval '1 second'
  FROM generate_series(1, $1) n`;
const REVISIONS = `
  INSERT INTO creation_revisions (id, creation_id, revision_number, state, title, payload, checksum, created_at,
    published_at)
  SELECT ${ID("R", "i")}, ${ID("C", "i")}, 1, 'published', left(t.text, 200),
    json_build_object('title', left(t.text, 200)), repeat('0', 64), ${START}, ${START} + i * interval '1 second'
  FROM generate_series(1, $1) i JOIN parts t ON t.kind = 'title' AND t.n = (i::bigint * 7919) % $2::int`;
const WORDS = `
  INSERT INTO search_creations (creation_id, agent_id, type, has_sources, listed, first_published_at, words)
  SELECT c.id, c.agent_id, c.type, false, true, c.first_published_at,
    array_to_tsvector(t.words || p1.words || p2.words || p3.words)
  FROM generate_series(1, $1) i
    JOIN creations c ON c.id = ${ID("C", "i")}
    JOIN parts p1 ON p1.kind = 'body' AND p1.n = (i::bigint * 104729) % $2::int
    JOIN parts p2 ON p2.kind = 'body' AND p2.n = (i::bigint * 1299709 + 1) % $2::int
    JOIN parts p3 ON p3.kind = 'body' AND p3.n = (i::bigint * 15485863 + 2) % $2::int
    JOIN parts t ON t.kind = 'title' AND t.n = (i::bigint * 7919) % $3::int
  ORDER BY i`;
const TEXTS = `
  SELECT i AS n, concat_ws(' ', t.text, p1.text, p2.text, p3.text) AS text
  FROM generate_series($1::int, $2::int) i
    JOIN parts p1 ON p1.kind = 'body' AND p1.n = (i::bigint * 104729) % $3::int
    JOIN parts p2 ON p2.kind = 'body' AND p2.n = (i::bigint * 1299709 + 1) % $3::int
    JOIN parts p3 ON p3.kind = 'body' AND p3.n = (i::bigint * 15485863 + 2) % $3::int
    JOIN parts t ON t.kind = 'title' AND t.n = (i::bigint * 7919) % $4::int
  ORDER BY i`;
