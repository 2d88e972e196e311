import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";

/** The agents for whom other bytes are counted than their texts take, and what is made of texts and files. */
export const WRONG_TEXT_USES = `
  WITH revisions AS (
    SELECT r.id, c.agent_id FROM creation_revisions r JOIN creations c ON c.id = r.creation_id
    UNION ALL SELECT id, agent_id FROM profile_revisions
  ), made AS (
    SELECT id AS revision_id, octet_length(payload::text) AS bytes FROM creation_revisions
    UNION ALL SELECT id, octet_length(profile::text) FROM profile_revisions
    UNION ALL SELECT revision_id, octet_length(concat(question, rows)) FROM revision_charts
    UNION ALL SELECT revision_id, octet_length(concat(question, value)) FROM revision_figures
    UNION ALL SELECT revision_id, octet_length(concat(dictionary, checks)) FROM revision_files
    UNION ALL SELECT revision_id, octet_length(html) FROM drawings
  ), kept AS (
    SELECT r.agent_id, m.bytes FROM made m JOIN revisions r ON r.id = m.revision_id
    UNION ALL SELECT agent_id, octet_length(concat(inspection, tables, hints, stats, column_forms))
      + coalesce(octet_length(reading_index), 0) FROM assets
    UNION ALL SELECT agent_id, octet_length(stats::text) FROM described_stats
    UNION ALL SELECT s.agent_id, p.bytes FROM parquet_files p JOIN assets s ON s.id = p.asset_id
    UNION ALL SELECT agent_id, -bytes FROM text_uses
  )
  SELECT agent_id, sum(bytes) FROM kept GROUP BY 1 HAVING sum(bytes) <> 0`;

// What must hold in the database after any history of kills and retries. Each query lists the rows that break its
// rule. It shares no code with the service, so that both cannot be wrong in the same way.
const RULES: Record<string, string> = {
  "a redeemed code made one agent": `
    SELECT e.id FROM enrollments e LEFT JOIN agents a ON a.id = e.agent_id AND a.owner_id = e.owner_id
    WHERE e.consumed_at IS NOT NULL AND a.id IS NULL
    UNION ALL SELECT owner_id FROM agents GROUP BY owner_id HAVING count(*) <> 1`,
  "an agent is claimed and has one working token": `
    SELECT a.id FROM agents a LEFT JOIN tokens t ON t.agent_id = a.id AND t.revoked_at IS NULL
    GROUP BY a.id HAVING count(t.id) <> 1 OR a.claimed_at IS NULL`,
  "an upload is ready, inspected and kept under one key": `
    SELECT a.id, a.readiness FROM assets a LEFT JOIN idempotency_keys k ON k.asset_id = a.id
    GROUP BY a.id HAVING a.readiness <> 'ready' OR a.inspection::text IS NULL OR count(k.key) <> 1`,
  "every key has its answer": `SELECT key FROM idempotency_keys WHERE status IS NULL`,
  "a key that was answered with 201 made one creation, and each creation has one key": `
    SELECT c.id, k.key FROM creations c FULL JOIN (
      SELECT agent_id, key, body::json #>> '{data,id}' AS made FROM idempotency_keys
      WHERE status = 201 AND asset_id IS NULL) k ON k.made = c.id AND k.agent_id = c.agent_id
    WHERE c.id IS NULL OR k.key IS NULL
    UNION ALL SELECT body::json #>> '{data,id}', NULL FROM idempotency_keys WHERE status = 201 AND asset_id IS NULL
    GROUP BY 1 HAVING count(*) <> 1`,
  "revisions are numbered 1 to n, and the latest is n": `
    SELECT c.id, c.latest_revision_number, array_agg(r.revision_number) AS numbers
    FROM creations c LEFT JOIN creation_revisions r ON r.creation_id = c.id GROUP BY c.id
    HAVING min(r.revision_number) IS DISTINCT FROM 1 OR max(r.revision_number) <> count(r.id)
      OR max(r.revision_number) <> c.latest_revision_number`,
  "a published creation has one live revision": `
    SELECT c.id FROM creations c LEFT JOIN creation_revisions r
      ON r.creation_id = c.id AND r.state = 'published' AND r.replaced_at IS NULL
    GROUP BY c.id HAVING (c.visibility <> 'private') <> (count(r.id) = 1) OR max(r.id) <> c.live_revision_id`,
  "an agent's counters equal what is there": `
    SELECT a.id, a.creation_count, a.file_count, a.storage_bytes, a.profile_revision_count FROM agents a
    WHERE (a.creation_count, a.file_count, a.storage_bytes, a.profile_revision_count) IS DISTINCT FROM (
      (SELECT count(*)::int FROM creations c WHERE c.agent_id = a.id),
      (SELECT count(*)::int FROM assets f WHERE f.agent_id = a.id AND f.file_deleted_at IS NULL),
      (SELECT COALESCE(sum(f.bytes), 0)::bigint FROM assets f
        WHERE f.agent_id = a.id AND f.file_deleted_at IS NULL),
      (SELECT count(*)::int FROM profile_revisions p WHERE p.agent_id = a.id))`,
  "what is counted of an agent's texts equals what they take": WRONG_TEXT_USES,
  "a day's count equals the first publications and updates of that day": `
    SELECT COALESCE(d.agent_id, p.agent_id) AS agent_id, d.publications, p.first FROM daily_counts d FULL JOIN (
      SELECT c.agent_id, (c.first_published_at AT TIME ZONE 'UTC')::date AS day, count(*) AS first
      FROM creations c WHERE c.first_published_at IS NOT NULL GROUP BY 1, 2) p USING (agent_id, day)
    WHERE d.publications IS DISTINCT FROM p.first OR d.updates <> 0`,
  "each write has one audit row, and no more": `
    WITH written AS (
      SELECT agent_id, 'enrollment.redeem' AS action, count(*) AS n FROM enrollments
        WHERE consumed_at IS NOT NULL GROUP BY 1
      UNION ALL SELECT id, 'agent.claim', 1 FROM agents WHERE claimed_at IS NOT NULL
      UNION ALL SELECT agent_id, 'profile.save', count(*) FROM profile_revisions GROUP BY 1
      UNION ALL SELECT agent_id, 'profile.publish', count(*) FROM profile_revisions
        WHERE state = 'published' GROUP BY 1
      UNION ALL SELECT agent_id, 'asset.upload', count(*) FROM assets GROUP BY 1
      UNION ALL SELECT agent_id, 'creation.create', count(*) FROM creations GROUP BY 1
      UNION ALL SELECT c.agent_id, 'creation.publish', count(*) FROM creation_revisions r
        JOIN creations c ON c.id = r.creation_id WHERE r.state = 'published' GROUP BY 1),
    audited AS (SELECT agent_id, action, count(*) AS n FROM audit_log WHERE agent_id IS NOT NULL GROUP BY 1, 2)
    SELECT * FROM written FULL JOIN audited USING (agent_id, action) WHERE written.n IS DISTINCT FROM audited.n`,
  "a settled table has its Parquet file, and a Parquet file its table": `
    SELECT a.id, p.file_id FROM (SELECT id, parquet_version FROM assets WHERE readiness = 'ready'
      AND file_deleted_at IS NULL AND inspection ->> 'kind' = 'table') a FULL JOIN parquet_files p ON p.asset_id = a.id
    WHERE a.id IS NULL OR (p.file_id IS NULL AND a.parquet_version > 0)`,
  "no feed is stale": `SELECT subject FROM pending_work WHERE kind = 'build-feed'`,
  "a feed shows what is public, the newest fifty": `
    WITH due AS (
      SELECT 'agent:' || agent_id AS key, id FROM creations WHERE visibility = 'public'
      UNION ALL (SELECT 'site', id FROM creations WHERE visibility = 'public'
        ORDER BY updated_at DESC, id DESC LIMIT 50)),
    named AS (SELECT key, (regexp_matches(body, '<id>urn:ulid:([0-9A-Z]{26})</id>', 'g'))[1] AS id FROM feeds),
    shown AS (SELECT key, id FROM named WHERE id <> split_part(key, ':', 2))
    SELECT key, id, due.key IS NULL AS undue FROM due FULL JOIN shown USING (key, id)
    WHERE due.key IS NULL OR shown.key IS NULL`,
  // One that had tries left was set aside because another job of its key waits to be tried again, and does its work.
  "no job was given up": `
    SELECT name, state, retry_count, output, started_on, completed_on FROM pgboss.job
    WHERE state = 'failed' AND retry_count >= retry_limit`,
};

const UNSETTLED = `
  SELECT (SELECT count(*) FROM assets WHERE readiness = 'processing') + (SELECT count(*) FROM pending_work)
    + (SELECT count(*) FROM pgboss.job WHERE state IN ('created', 'retry', 'active')
      AND name NOT LIKE '%-dead') AS left`;

/** Names every rule that the database or the stored files break, with what breaks it. */
export async function findViolations(databaseUrl: string, filesFolder: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const violations: string[] = [];
    for (const [rule, query] of Object.entries(RULES)) {
      const { rows } = await client.query(query);
      if (rows.length > 0) violations.push(`${rule}: ${JSON.stringify(rows.slice(0, 3))}`);
    }
    const { rows } = await client.query(
      `SELECT id, bytes, content_sha256 FROM assets WHERE file_deleted_at IS NULL
      UNION ALL SELECT file_id, bytes::int, content_sha256 FROM parquet_files ORDER BY id`,
    );
    return [...violations, ...(await compareFiles(filesFolder, rows))];
  } finally {
    await client.end();
  }
}

/** How many uploads, stale feeds and jobs still wait for a worker. */
export async function countUnsettled(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return Number((await client.query(UNSETTLED)).rows[0].left);
  } finally {
    await client.end();
  }
}

/** Every file has a row, and every row its very bytes. */
async function compareFiles(
  folder: string,
  rows: readonly { id: string; bytes: number; content_sha256: string }[],
): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = new Map(
    found.filter((entry) => entry.isFile()).map((entry) => [entry.name, entry.parentPath]),
  );
  const violations: string[] = [];
  for (const { id, bytes, content_sha256 } of rows) {
    const parent = files.get(id);
    files.delete(id);
    const content = parent === undefined ? null : await readFile(join(parent, id));
    const sha256 = content === null ? "" : createHash("sha256").update(content).digest("hex");
    if (content?.length !== bytes || sha256 !== content_sha256)
      violations.push(`the bytes of ${id} are not there`);
  }
  return [...violations, ...[...files.keys()].map((name) => `the file ${name} has no row`)];
}
