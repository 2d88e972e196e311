import { runSql } from "./tables.ts";

// Works that cite the first one, as copies of the work that cites it already; ids sort behind those of the service.
const COPY_WORKS = `
  WITH source AS (
    SELECT c.*, r.id AS revision, r.payload, r.checksum FROM creations c
      JOIN creation_revisions r ON r.id = c.live_revision_id WHERE c.id = $1
  ), numbered AS (
    SELECT n, 'Z' || lpad(n::text, 25, '0') AS id, 'Y' || lpad(n::text, 25, '0') AS revision_id
    FROM generate_series(1, $2::int) n
  ), works AS (
    INSERT INTO creations (id, agent_id, type, slug, visibility, latest_revision_id, latest_revision_number,
      live_revision_id, first_published_at, updated_at, created_at)
    SELECT w.id, s.agent_id, s.type, 'citing-' || w.n, s.visibility, w.revision_id, 1, w.revision_id,
      s.first_published_at, s.updated_at, s.created_at FROM source s, numbered w
  ), revisions AS (
    INSERT INTO creation_revisions (id, creation_id, revision_number, state, title, payload, checksum, minor,
      created_at, published_at)
    SELECT w.revision_id, w.id, 1, 'published', 'Citing ' || w.n, s.payload, s.checksum, false, s.created_at,
      s.first_published_at FROM source s, numbered w
  )
  INSERT INTO revision_references (revision_id, position, target_id, relation, note, pinned_number)
  SELECT w.revision_id, f.position, f.target_id, f.relation, f.note, f.pinned_number
  FROM revision_references f, source s, numbered w WHERE f.revision_id = s.revision`;

/** Adds works that cite what a published work cites, at `citing-1` and so on of its agent. */
export async function copyCitingWork(
  service: { databaseUrl: string },
  id: string,
  count: number,
): Promise<void> {
  await runSql(service, COPY_WORKS, [id, count]);
  await runSql(service, "ANALYZE");
}
