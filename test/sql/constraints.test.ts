import pg from "pg";
import { expect, test } from "vitest";
import { closeAfterwards } from "../support/close-afterwards.ts";
import { createTestDatabase } from "../support/cluster.ts";

const id = (letter: string) => `01ARZ3NDEKTSV4RRFFQ69G5FA${letter}`;
const hash = "a".repeat(64);
const T = "'2026-11-20T09:00:00Z'";
const REVISION = `INSERT INTO creation_revisions (id, creation_id, revision_number, state, title, payload, checksum,
  created_at, published_at)`;

/** One owner, agent and creation with a live first and a second draft revision. */
const SEED = `
  INSERT INTO owners (id, email, created_at) VALUES ('${id("0")}', 'a@example.org', ${T});
  INSERT INTO agents (id, owner_id, handle, created_at) VALUES ('${id("A")}', '${id("0")}', 'one', ${T});
  INSERT INTO agents (id, owner_id, handle, created_at) VALUES ('${id("B")}', '${id("0")}', 'two', ${T});
  INSERT INTO creations (id, agent_id, type, slug, visibility, latest_revision_id, latest_revision_number,
    live_revision_id, first_published_at, updated_at, created_at)
    VALUES ('${id("C")}', '${id("A")}', 'story', 's', 'public', '${id("E")}', 2, '${id("D")}', ${T}, ${T}, ${T});
  ${REVISION} VALUES ('${id("D")}', '${id("C")}', 1, 'published', 't', '{}', '${hash}', ${T}, ${T});
  ${REVISION} VALUES ('${id("E")}', '${id("C")}', 2, 'draft', 't', '{}', '${hash}', ${T}, NULL);
  INSERT INTO creations (id, agent_id, type, slug, latest_revision_id, latest_revision_number, created_at)
    VALUES ('${id("F")}', '${id("B")}', 'story', 's', '${id("G")}', 1, ${T});
  ${REVISION} VALUES ('${id("G")}', '${id("F")}', 1, 'draft', 't', '{}', '${hash}', ${T}, NULL);
  INSERT INTO schedules (id, creation_id, revision_id, status, publish_at, created_at)
    VALUES ('${id("H")}', '${id("C")}', '${id("E")}', 'pending', ${T}, ${T});
  INSERT INTO assets (id, agent_id, kind, format, filename, bytes, content_sha256, readiness, attempt_started_at,
    created_at) VALUES ('${id("J")}', '${id("A")}', 'dataset', 'csv', 'a.csv', 1, '${hash}', 'processing', ${T}, ${T})`;
const database = await createTestDatabase();
const client = new pg.Client({ connectionString: database.url });
closeAfterwards(() => client.end());
await client.connect();
await client.query(`BEGIN; ${SEED}; COMMIT`);

/** The kind of refusal, and what refused: constraint or index. */
async function tryIt(statement: string): Promise<string> {
  await client.query("BEGIN");
  try {
    await client.query(statement);
    await client.query("SET CONSTRAINTS ALL IMMEDIATE");
    return "accepted";
  } catch (error) {
    const { code, constraint } = error as { code: string; constraint?: string };
    return `${KINDS[code] ?? code} ${constraint ?? ""}`.trim();
  } finally {
    await client.query("ROLLBACK");
  }
}

const KINDS: Record<string, string> = {
  "23505": "unique",
  "23514": "check",
  "23503": "foreign",
  "23502": "null",
};

const creation = (set: string) => `UPDATE creations SET ${set} WHERE id = '${id("C")}'`;
const schedule = (columns: string, values: string) =>
  `INSERT INTO schedules (id, creation_id, revision_id, publish_at, created_at, status${columns})
   VALUES ('${id("K")}', '${id("C")}', '${id("E")}', ${T}, ${T}, ${values})`;

const artwork = (agentId: string, creationId: string, place: string) =>
  `INSERT INTO artworks (hash, kind, agent_id, creation_id, place, recipe, made_at)
   VALUES ('${hash}', 'card', ${agentId}, ${creationId}, '${place}', '{}', ${T})`;

const pin = (columns: string, values: string | number) =>
  `INSERT INTO revision_references (revision_id, position, target_id, relation, ${columns})
   VALUES ('${id("G")}', 0, '${id("C")}', 'uses', ${values})`;

test.each([
  ["a handle twice", `UPDATE agents SET handle = 'one' WHERE id = '${id("B")}'`, /^unique agents_handle_key/],
  ["private with something live", creation("visibility = 'private'"), /^check/],
  ["public with nothing live", creation("live_revision_id = NULL"), /^check/],
  ["live and never published", creation("first_published_at = NULL, updated_at = NULL"), /^check/],
  ["published without an update time", creation("updated_at = NULL"), /^check/],
  ["another creation's revision live", creation(`live_revision_id = '${id("G")}'`), /^foreign/],
  ["another creation's revision as the latest", creation(`latest_revision_id = '${id("G")}'`), /^foreign/],
  [
    "a slug twice for one agent",
    `UPDATE creations SET agent_id = '${id("A")}' WHERE id = '${id("F")}'`,
    /^unique/,
  ],
  [
    "a revision number twice",
    `${REVISION} VALUES ('${id("K")}', '${id("C")}', 2, 'draft', 't', '{}', '${hash}', ${T}, NULL)`,
    /^unique creation_revisions_number_key/,
  ],
  [
    "published without a time",
    `UPDATE creation_revisions SET published_at = NULL WHERE id = '${id("D")}'`,
    /^check/,
  ],
  [
    "a draft with a time",
    `UPDATE creation_revisions SET published_at = ${T} WHERE id = '${id("E")}'`,
    /^check/,
  ],
  ["content gone without a mark", `UPDATE creation_revisions SET payload = NULL`, /^check/],
  [
    "removed content that is still there",
    `UPDATE creation_revisions SET content_removed_at = ${T}, content_removed_by = 'owner'`,
    /^check/,
  ],
  ["two pending schedules", schedule("", "'pending'"), /^unique schedules_pending_key/],
  ["a schedule that is done without a time", schedule("", "'cancelled'"), /^check/],
  ["a pending schedule with a time", schedule(", completed_at", `'pending', ${T}`), /^check/],
  ["a failed schedule without a code", schedule(", completed_at", `'failed', ${T}`), /^check/],
  [
    "a published schedule with a code",
    schedule(", completed_at, outcome_code", `'published', ${T}, 'x'`),
    /^check/,
  ],
  ["a second schedule that is done", schedule(", completed_at", `'cancelled', ${T}`), /^accepted/],
  ["a section's card without its agent", artwork("NULL", "NULL", "section/x"), /^check artworks_place/],
  [
    "a card of the site that is an agent's",
    artwork(`'${id("A")}'`, "NULL", "/docs"),
    /^check artworks_place/,
  ],
  [
    "a work's card in another place",
    artwork(`'${id("A")}'`, `'${id("C")}'`, "section/x"),
    /^check artworks_place/,
  ],
  ["artwork of nobody and no page", artwork("NULL", "NULL", ""), /^check artworks_place/],
  ["a card of the site", artwork("NULL", "NULL", "/docs"), /^accepted/],
  ["failed without a reason", "UPDATE assets SET readiness = 'failed'", /^check/],
  ["a reason without failure", "UPDATE assets SET readiness_reason = 'x'", /^check/],
  ["an inspection before it is ready", "UPDATE assets SET inspection = '{}'", /^check/],
  ["an append without the place of its rows", "UPDATE assets SET appended_to_asset_id = id", /^check/],
  ["rows that were added to nothing", "UPDATE assets SET rows_added = 1", /^check/],
  ["a text file as a dataset", "UPDATE assets SET format = 'txt'", /^check/],
  [
    "a relation twice",
    `INSERT INTO revision_references (revision_id, position, target_id, relation) VALUES
     ('${id("E")}', 0, '${id("F")}', 'uses'), ('${id("E")}', 1, '${id("F")}', 'uses')`,
    /^unique revision_references_pair_key/,
  ],
  ["a pin to a revision that is none", pin("pinned_number", 9), /^foreign revision_references_pinned_fkey/],
  ["an asked revision that is none", pin("asked_number", 9), /^foreign revision_references_asked_fkey/],
  [
    "a pin beside the asked revision",
    pin("asked_number, pinned_number", "1, 2"),
    /^check revision_references_pin/,
  ],
  ["a pin to the asked revision", pin("asked_number, pinned_number", "2, 2"), /^accepted/],
  [
    "a key with neither answer nor file",
    `INSERT INTO idempotency_keys (agent_id, key, fingerprint, created_at)
     VALUES ('${id("A")}', gen_random_uuid(), '${hash}', ${T})`,
    /^check/,
  ],
  ["a used file deleted", `DELETE FROM creation_revisions WHERE id = '${id("D")}'`, /^foreign/],
])("%s: the schema has the last word", async (_name, statement, outcome) => {
  expect(await tryIt(statement)).toMatch(outcome);
});
