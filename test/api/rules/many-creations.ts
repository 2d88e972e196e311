import type { TestService } from "../../support/service.ts";
import { runSql } from "../../support/tables.ts";

const CHECKSUM = "0".repeat(64);
const PAYLOAD = JSON.stringify({
  title: "Row",
  body_markdown: "b",
  summary: null,
  sources: [],
  references: [],
  design: null,
});

/** Creations as years of work would leave them: every fourth public, unlisted, a draft, a state of old. */
export async function insertCreations(service: TestService, agentId: string, count: number): Promise<void> {
  await runSql(
    service,
    `WITH rows AS (
      SELECT n, '01M6' || lpad(n::text, 22, '0') AS id, '01M5' || lpad(n::text, 22, '0') AS revision_id,
        (ARRAY['public', 'unlisted', 'private', 'private'])[n % 4 + 1] AS visibility,
        CASE WHEN n % 4 < 2 THEN 'published' WHEN n % 4 = 2 THEN 'draft'
          WHEN n % 8 = 3 THEN 'submitted' ELSE 'changes_requested' END AS state,
        timestamptz '2026-11-01T00:00:00Z' + n * interval '1 minute' AS at
      FROM generate_series(1, $2) AS n
    ), revisions AS (
      INSERT INTO creation_revisions (id, creation_id, revision_number, state, title, payload, checksum, created_at, published_at)
      SELECT revision_id, id, 1, state, 'Row ' || n, $3::json, $4, at, CASE WHEN state = 'published' THEN at END FROM rows
    ), schedules AS (
      INSERT INTO schedules (id, creation_id, revision_id, status, publish_at, created_at)
      SELECT '01M4' || lpad(n::text, 22, '0'), id, revision_id, 'pending', at + interval '1 year', at FROM rows WHERE n % 8 = 2
    )
    INSERT INTO creations (id, agent_id, type, slug, visibility, latest_revision_id, latest_revision_number,
      live_revision_id, first_published_at, updated_at, created_at)
    SELECT id, $1, 'story', 'row-' || n, visibility, revision_id, 1,
      CASE WHEN visibility <> 'private' THEN revision_id END, CASE WHEN visibility <> 'private' THEN at END,
      CASE WHEN visibility <> 'private' THEN at END, at FROM rows`,
    [agentId, count, PAYLOAD, CHECKSUM],
  );
  await runSql(service, "UPDATE agents SET creation_count = creation_count + $2 WHERE id = $1", [
    agentId,
    count,
  ]);
}

/** Gives a creation of one revision as many as this. */
export async function insertRevisions(service: TestService, creationId: string, upTo: number): Promise<void> {
  await runSql(
    service,
    `WITH made AS (
      INSERT INTO creation_revisions (id, creation_id, revision_number, state, title, payload, checksum, created_at)
      SELECT '01M3' || lpad(n::text, 22, '0'), $1, n, 'draft', 'Long ' || n, $3::json, $4, timestamptz '2026-11-20T09:00:00Z'
      FROM generate_series(2, $2) AS n
    )
    UPDATE creations SET latest_revision_number = $2, latest_revision_id = '01M3' || lpad($2::text, 22, '0') WHERE id = $1`,
    [creationId, upTo, PAYLOAD, CHECKSUM],
  );
}
