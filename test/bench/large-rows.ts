import type { Client } from "pg";

/** Each agent has so many works, so that a larger site has more agents and not busier ones. */
export const WORKS_AN_AGENT = 50;
/** Every twentieth agent chose the topic that is read, and the first few, so that every site fills the page. */
const AGENTS_A_TOPIC = 20;
const CHOSE = "n % $3::int = 1 OR n <= 20";
/** So many works share each of the words that are searched for. */
const WORKS_A_WORD = 40;

/** The slug of the n-th work. */
export const slugOf = (n: number): string => `work-${n}`;

/** Fills a migrated database with public works and their agents; the first works are given to a reader. */
export async function addWorks(
  client: Client,
  works: number,
  { topicId, readerId }: { topicId: string; readerId: string },
): Promise<void> {
  // Rows of one hand need no check against each other; only a superuser may leave it out.
  await client.query("SET session_replication_role = replica");
  const agents = [1, works / WORKS_AN_AGENT];
  await client.query(OWNERS, agents);
  await client.query(AGENTS, agents);
  await client.query(CONTACTS, agents);
  await client.query(PROFILES, [...agents, AGENTS_A_TOPIC, topicId]);
  await client.query(AGENT_WORDS, [...agents, AGENTS_A_TOPIC, `#${topicId.toLowerCase()}`]);
  await client.query(CREATIONS, [1, works, WORKS_AN_AGENT]);
  await client.query(REVISIONS, [1, works]);
  const index = await client.query<{ indexdef: string }>(
    "SELECT indexdef FROM pg_indexes WHERE indexname = 'search_creations_found_idx'",
  );
  // Built at its end this index takes seconds, grown row by row minutes.
  await client.query("DROP INDEX search_creations_found_idx");
  await client.query(WORDS, [1, works, WORKS_AN_AGENT, WORKS_A_WORD]);
  await client.query(index.rows[0]?.indexdef ?? "");
  await client.query("UPDATE creations SET agent_id = $1 WHERE agent_id = $2", [readerId, FIRST_AGENT]);
  await client.query("VACUUM ANALYZE");
}

const FIRST_AGENT = `0A${"1".padStart(24, "0")}`;

/** A word that stands in about as many works of a small site as of a large one. */
export const wordOf = (n: number): string => `gauge${Math.floor(n / WORKS_A_WORD)}x`;

const START = "timestamptz '2026-01-01T00:00:00Z'";
const ID = (letter: string, n: string) => `'0${letter}' || lpad((${n})::text, 24, '0')`;
const AGENT_OF = (n: string) => `(1 + (${n} - 1) / $3::int)`;
/** 200 bytes of text. */
const BODY = "left(repeat(md5(n::text) || ' ', 7), 200)";

const OWNERS = `
  INSERT INTO owners (id, email, created_at)
  SELECT ${ID("W", "n")}, 'owner' || n || '@example.org', ${START} FROM generate_series($1::int, $2::int) n`;
const AGENTS = `
  INSERT INTO agents (id, owner_id, handle, created_at, claimed_at, live_profile_id, latest_profile_id)
  SELECT ${ID("A", "n")}, ${ID("W", "n")}, 'agent-' || n, ${START}, ${START}, ${ID("P", "n")}, ${ID("P", "n")}
  FROM generate_series($1::int, $2::int) n`;
const CONTACTS = `
  INSERT INTO agent_contacts (agent_id, last_seen_at)
  SELECT ${ID("A", "n")}, ${START} + n * interval '1 second' FROM generate_series($1::int, $2::int) n`;
const PROFILES = `
  INSERT INTO profile_revisions (id, agent_id, revision_number, state, profile, checksum, created_at, published_at)
  SELECT ${ID("P", "n")}, ${ID("A", "n")}, 1, 'published', json_build_object('display_name', 'Agent ' || n,
    'topic_ids', CASE WHEN ${CHOSE} THEN json_build_array($4::text) ELSE json_build_array() END,
    'sections', json_build_array(), 'linked_agent_ids', json_build_array()), repeat('0', 64), ${START}, ${START}
  FROM generate_series($1::int, $2::int) n`;
const AGENT_WORDS = `
  INSERT INTO search_agents (agent_id, words)
  SELECT ${ID("A", "n")}, array_to_tsvector(
    ARRAY['tagent', 'aagent', 't' || n, 'a' || n] || CASE WHEN ${CHOSE} THEN ARRAY[$4::text] ELSE '{}' END)
  FROM generate_series($1::int, $2::int) n`;
const CREATIONS = `
  INSERT INTO creations (id, agent_id, type, slug, visibility, latest_revision_id, latest_revision_number,
    live_revision_id, first_published_at, updated_at, created_at)
  SELECT ${ID("C", "n")}, ${ID("A", AGENT_OF("n"))}, 'story', 'work-' || n, 'public', ${ID("R", "n")}, 1,
    ${ID("R", "n")}, ${START} + n * interval '1 second', ${START} + n * interval '1 second',
    ${START} + n * interval '1 second'
  FROM generate_series($1::int, $2::int) n`;
const REVISIONS = `
  INSERT INTO creation_revisions (id, creation_id, revision_number, state, title, payload, checksum, created_at,
    published_at)
  SELECT ${ID("R", "n")}, ${ID("C", "n")}, 1, 'published', 'Work ' || n,
    json_build_object('title', 'Work ' || n, 'body_markdown', ${BODY}), repeat('0', 64), ${START},
    ${START} + n * interval '1 second'
  FROM generate_series($1::int, $2::int) n`;
const WORDS = `
  INSERT INTO search_creations (creation_id, agent_id, type, has_sources, listed, first_published_at, words)
  SELECT ${ID("C", "n")}, ${ID("A", AGENT_OF("n"))}, 'story', false, true, ${START} + n * interval '1 second',
    array_to_tsvector(ARRAY['twork', 'awork', 'awo', 'aw', 't' || n, 'a' || n, 'amd' || (n % 1000),
      'agauge' || (n / $4::int) || 'x'])
  FROM generate_series($1::int, $2::int) n`;
