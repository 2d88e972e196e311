import { WRONG_TEXT_USES } from "../../support/wrong-text-uses.ts";
import { CAPS } from "./stack.ts";

const VERSIONED = [
  ...["creation.update", "creation.publish", "creation.schedule", "creation.cancel_schedule"],
  ...["creation.visibility", "creation.unpublish", "schedule.publish", "schedule.fail"],
];

/** What must hold in the database once all is quiet, by invariant; each query lists the rows that break its rule. */
export const RULES: readonly (readonly [number, string, string])[] = [
  [
    1,
    "a key that was answered with 201 made one creation, and each creation has one key",
    `SELECT c.id, k.key FROM creations c FULL JOIN (
      SELECT agent_id, key, body::json #>> '{data,id}' AS made FROM idempotency_keys
      WHERE status = 201 AND asset_id IS NULL) k ON k.made = c.id AND k.agent_id = c.agent_id
    WHERE c.id IS NULL OR k.key IS NULL
    UNION ALL SELECT body::json #>> '{data,id}', NULL FROM idempotency_keys WHERE status = 201 AND asset_id IS NULL
    GROUP BY 1 HAVING count(*) <> 1`,
  ],
  [
    1,
    "every key has its answer, unless its file was refused",
    `SELECT k.key, a.readiness FROM idempotency_keys k LEFT JOIN assets a ON a.id = k.asset_id
    WHERE k.status IS NULL AND a.readiness IS DISTINCT FROM 'failed'`,
  ],
  [
    2,
    "an agent's counters equal what is there",
    `SELECT a.id, a.creation_count, a.file_count, a.storage_bytes, a.profile_revision_count FROM agents a
    WHERE (a.creation_count, a.file_count, a.storage_bytes, a.profile_revision_count) IS DISTINCT FROM (
      (SELECT count(*)::int FROM creations c WHERE c.agent_id = a.id),
      (SELECT count(*)::int FROM assets f WHERE f.agent_id = a.id AND f.file_deleted_at IS NULL),
      (SELECT COALESCE(sum(f.bytes), 0)::bigint FROM assets f
        WHERE f.agent_id = a.id AND f.file_deleted_at IS NULL),
      (SELECT count(*)::int FROM profile_revisions p WHERE p.agent_id = a.id))`,
  ],
  [2, "what is counted of an agent's texts equals what they take", WRONG_TEXT_USES],
  [
    16,
    "the log has each publication once, under indexes without a gap, and nothing else",
    `WITH told AS (
      SELECT index, convert_from(entry, 'UTF8')::json AS entry FROM log_entries WHERE log_number = 1)
    SELECT 'gap' AS what, max(index)::text AS which FROM told HAVING max(index) + 1 <> count(*)
    UNION ALL
    SELECT 'missing', r.id FROM creation_revisions r JOIN creations c ON c.id = r.creation_id
      LEFT JOIN log_records k ON k.revision_id = r.id LEFT JOIN told t ON t.index = k.index
    WHERE r.state = 'published' AND (t.index IS NULL OR t.entry ->> 'type' <> 'published'
      OR coalesce(t.entry ->> 'creation', c.id) <> c.id
      OR coalesce((t.entry ->> 'revision')::int, r.revision_number) <> r.revision_number)
    UNION ALL
    SELECT 'without a publication', t.index::text FROM told t LEFT JOIN log_records k ON k.index = t.index
    WHERE t.entry ->> 'type' = 'published' AND k.revision_id IS NULL
    UNION ALL SELECT 'a log too many', number::text FROM logs WHERE number > 1`,
  ],
  [
    3,
    "a creation's version counts the acts on it",
    `SELECT c.id, c.lock_version, count(l.id) FROM creations c
    LEFT JOIN audit_log l ON l.subject_id = c.id AND l.action IN (${VERSIONED.map((name) => `'${name}'`)})
    GROUP BY c.id HAVING c.lock_version <> 1 + count(l.id)`,
  ],
  [
    4,
    "revisions are numbered 1 to n, and the latest is n",
    `SELECT c.id, c.latest_revision_number, array_agg(r.revision_number) AS numbers
    FROM creations c LEFT JOIN creation_revisions r ON r.creation_id = c.id GROUP BY c.id
    HAVING min(r.revision_number) IS DISTINCT FROM 1 OR max(r.revision_number) <> count(r.id)
      OR max(r.revision_number) <> c.latest_revision_number
      OR c.latest_revision_id NOT IN (SELECT id FROM creation_revisions n
        WHERE n.creation_id = c.id AND n.revision_number = c.latest_revision_number)`,
  ],
  [
    4,
    "what is open shows one revision, a published one, and what is private none",
    `SELECT c.id, c.visibility, c.live_revision_id, array_agg(r.id) AS live
    FROM creations c LEFT JOIN creation_revisions r
      ON r.creation_id = c.id AND r.state = 'published' AND r.replaced_at IS NULL
    GROUP BY c.id HAVING CASE WHEN c.visibility = 'private' THEN c.live_revision_id IS NOT NULL
      ELSE count(r.id) <> 1 OR max(r.id) IS DISTINCT FROM c.live_revision_id END`,
  ],
  [
    5,
    "no schedule waits any longer, and each ended once and in time",
    `SELECT s.id, s.status, s.publish_at, s.completed_at, l.n FROM schedules s LEFT JOIN LATERAL (
      SELECT count(*) AS n, max(action) AS action FROM audit_log WHERE detail ->> 'schedule_id' = s.id) l ON true
    WHERE CASE s.status
      WHEN 'published' THEN l.n <> 1 OR l.action <> 'schedule.publish' OR s.completed_at < s.publish_at
        OR s.completed_at > s.publish_at + interval '60 seconds'
      WHEN 'failed' THEN l.n <> 1 OR l.action <> 'schedule.fail' OR s.completed_at < s.publish_at
      WHEN 'cancelled' THEN l.n <> 0 ELSE true END`,
  ],
  [
    5,
    "a schedule that went live put its own revision live, once",
    `SELECT s.id FROM schedules s LEFT JOIN creation_revisions r
      ON r.id = s.revision_id AND r.creation_id = s.creation_id AND r.state = 'published'
        AND r.published_at BETWEEN s.completed_at - interval '2 seconds' AND s.completed_at + interval '2 seconds'
    WHERE s.status = 'published' AND r.id IS NULL`,
  ],
  [
    6,
    "every upload is ready with its inspection, or failed with a reason of its own",
    `SELECT id, readiness, readiness_reason, attempt FROM assets WHERE NOT CASE readiness
      WHEN 'ready' THEN inspection::text IS NOT NULL AND file_deleted_at IS NULL
      WHEN 'failed' THEN file_deleted_at IS NOT NULL AND readiness_reason NOT LIKE '%could not be inspected%'
      ELSE false END`,
  ],
  [
    6,
    "every whole table was read alike",
    `SELECT count(DISTINCT (inspection ->> 'kind', inspection ->> 'row_count', json_array_length(inspection -> 'columns')))
    FROM assets WHERE readiness = 'ready'
    HAVING count(DISTINCT (inspection ->> 'kind', inspection ->> 'row_count', json_array_length(inspection -> 'columns'))) > 1`,
  ],
  [
    8,
    "a day's counts equal the first publications, updates and listings of that day, and keep the limits",
    `WITH published AS (
      SELECT c.agent_id, (r.published_at AT TIME ZONE 'UTC')::date AS day,
        r.id = first_value(r.id) OVER (PARTITION BY c.id ORDER BY r.revision_number) AS is_first
      FROM creation_revisions r JOIN creations c ON c.id = r.creation_id WHERE r.state = 'published'),
    shown AS (
      SELECT agent_id, (at AT TIME ZONE 'UTC')::date AS day, action, detail ->> 'visibility' AS visibility,
        lag(detail ->> 'visibility') OVER (PARTITION BY subject_id ORDER BY id) AS before
      FROM audit_log WHERE subject_kind = 'creation' AND detail ->> 'visibility' IS NOT NULL),
    counted AS (
      SELECT agent_id, day, is_first FROM published
      UNION ALL SELECT agent_id, day, false FROM shown
      WHERE action = 'creation.visibility' AND visibility = 'public' AND before = 'unlisted'),
    events AS (
      SELECT agent_id, day, count(*) FILTER (WHERE is_first) AS publications,
        count(*) FILTER (WHERE NOT is_first) AS updates FROM counted GROUP BY 1, 2)
    SELECT agent_id, day, d.publications, e.publications AS first, d.updates, e.updates AS further
    FROM daily_counts d FULL JOIN events e USING (agent_id, day)
    WHERE coalesce(d.publications, 0) <> coalesce(e.publications, 0) OR coalesce(d.updates, 0) <> coalesce(e.updates, 0)
      OR d.publications > ${CAPS.publications} OR d.updates > ${CAPS.updates}`,
  ],
  [
    9,
    "no cap is passed",
    `SELECT a.id, a.creation_count, a.file_count, a.storage_bytes FROM agents a
    WHERE a.creation_count > ${CAPS.creations} OR a.file_count > ${CAPS.files}
      OR a.storage_bytes > ${CAPS.storageBytes}
      OR (SELECT count(*) FROM tokens t WHERE t.agent_id = a.id AND t.revoked_at IS NULL) > ${CAPS.tokens}
    UNION ALL SELECT creation_id, count(*), 0, 0 FROM schedules WHERE status = 'pending'
    GROUP BY 1 HAVING count(*) > 1`,
  ],
  [
    10,
    "a redeemed code made one agent",
    `SELECT e.id FROM enrollments e LEFT JOIN agents a ON a.id = e.agent_id AND a.owner_id = e.owner_id
    WHERE e.consumed_at IS NOT NULL AND a.id IS NULL
    UNION ALL SELECT owner_id FROM agents GROUP BY owner_id HAVING count(*) <> 1`,
  ],
  [
    11,
    "every agent has a token that works",
    `SELECT a.id FROM agents a LEFT JOIN tokens t ON t.agent_id = a.id AND t.revoked_at IS NULL
      AND t.expires_at IS NULL GROUP BY a.id HAVING count(t.id) < 1 OR a.claimed_at IS NULL`,
  ],
  [
    12,
    "nothing was written between a pause and its end",
    `WITH pauses AS (
      SELECT p.agent_id, p.id AS since, (SELECT min(r.id) FROM audit_log r
        WHERE r.agent_id = p.agent_id AND r.action = 'agent.resume' AND r.id > p.id) AS until
      FROM audit_log p WHERE p.action = 'agent.pause')
    SELECT l.id, l.action FROM audit_log l JOIN pauses ON pauses.agent_id = l.agent_id
      AND l.id > pauses.since AND l.id < pauses.until
    WHERE (l.actor_kind = 'agent' AND l.action <> 'token.rotate') OR l.action = 'schedule.publish'`,
  ],
  [
    13,
    "no file of a saved revision is gone",
    `SELECT f.asset_id FROM revision_files f JOIN assets a ON a.id = f.asset_id
      JOIN creation_revisions r ON r.id = f.revision_id
    WHERE (a.file_deleted_at IS NOT NULL AND r.files_deleted_at IS NULL) OR a.expires_at IS NOT NULL`,
  ],
  [
    14,
    "no feed is stale, and each shows what is public, the newest fifty",
    `WITH due AS (
      SELECT 'agent:' || agent_id AS key, id FROM creations WHERE visibility = 'public'
      UNION ALL (SELECT 'site', id FROM creations WHERE visibility = 'public'
        ORDER BY updated_at DESC, id DESC LIMIT 50)),
    named AS (SELECT key, (regexp_matches(body, '<id>urn:ulid:([0-9A-Z]{26})</id>', 'g'))[1] AS id FROM feeds
      WHERE key = 'site' OR key ~ '^agent:[0-9A-Z]{26}$'),
    shown AS (SELECT key, id FROM named WHERE id <> split_part(key, ':', 2))
    SELECT key, id, due.key IS NULL AS undue FROM due FULL JOIN shown USING (key, id)
    WHERE due.key IS NULL OR shown.key IS NULL`,
  ],
  [
    14,
    "search knows what is open, and lists what is public",
    `SELECT c.id, c.visibility, s.listed FROM (SELECT * FROM creations WHERE visibility <> 'private') c
      FULL JOIN search_creations s ON s.creation_id = c.id
    WHERE c.id IS NULL OR s.creation_id IS NULL OR s.listed <> (c.visibility = 'public')`,
  ],
  [
    14,
    "minor updates moved nothing",
    `SELECT c.id, c.updated_at, max(r.published_at) FROM creations c JOIN creation_revisions r
      ON r.creation_id = c.id AND r.state = 'published'
        AND (NOT r.minor OR r.revision_number = (SELECT min(f.revision_number) FROM creation_revisions f
          WHERE f.creation_id = c.id AND f.state = 'published'))
    GROUP BY c.id HAVING abs(extract(epoch FROM c.updated_at - max(r.published_at))) > 2`,
  ],
  [
    15,
    "no work and no comparison of files waits any longer",
    `SELECT kind, subject FROM pending_work
    UNION ALL SELECT 'comparison', revision_id FROM revision_comparisons WHERE finished_at IS NULL`,
  ],
  [
    15,
    "each write has one audit row, and no more",
    `WITH written AS (
      SELECT agent_id, 'enrollment.redeem' AS action, count(*) AS n FROM enrollments
        WHERE consumed_at IS NOT NULL GROUP BY 1
      UNION ALL SELECT agent_id, 'profile.save', count(*) FROM profile_revisions GROUP BY 1
      UNION ALL SELECT agent_id, 'profile.publish', count(*) FROM profile_revisions
        WHERE state = 'published' GROUP BY 1
      UNION ALL SELECT agent_id, 'creation.create', count(*) FROM creations GROUP BY 1
      UNION ALL SELECT agent_id, 'creation.update', sum(latest_revision_number - 1) FROM creations
        GROUP BY 1 HAVING sum(latest_revision_number - 1) > 0
      UNION ALL SELECT c.agent_id, 'published', count(*) FROM creation_revisions r
        JOIN creations c ON c.id = r.creation_id WHERE r.state = 'published' GROUP BY 1),
    audited AS (
      SELECT agent_id, CASE WHEN action IN ('creation.publish', 'schedule.publish') THEN 'published' ELSE action END
        AS action, count(*) AS n
      FROM audit_log WHERE action IN ('enrollment.redeem', 'profile.save', 'profile.publish', 'creation.create',
        'creation.update', 'creation.publish', 'schedule.publish') GROUP BY 1, 2)
    SELECT * FROM written FULL JOIN audited USING (agent_id, action) WHERE written.n IS DISTINCT FROM audited.n`,
  ],
];

/** What still waits for a worker or for its time. */
export const UNSETTLED = `
  SELECT (SELECT count(*) FROM assets WHERE readiness = 'processing')::int AS uploads,
    (SELECT count(*) FROM pending_work)::int AS works,
    (SELECT count(*) FROM revision_comparisons WHERE finished_at IS NULL)::int AS comparisons,
    (SELECT count(*) FROM log_outbox)::int AS unlogged,
    (SELECT count(*) FROM schedules WHERE status = 'pending')::int AS schedules,
    (SELECT count(*) FROM event_outbox)::int AS events`;
