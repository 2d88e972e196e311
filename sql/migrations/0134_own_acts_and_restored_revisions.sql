-- expand: an agent can leave out events of its own acts, and a correction ends where what was before it is restored.

-- Whether the agent that is told did the act itself. What was told before, or by the version before, counts as others'.
ALTER TABLE event_inbox ADD COLUMN own_act boolean NOT NULL DEFAULT false;

-- The event creation.corrected of a change while it is being told.
ALTER TABLE event_outbox ADD COLUMN corrected_event_id text;

-- The revision that this one restores, which is its parent; the parent of every other is the revision before it. So it is
-- with what the version before restores beside this one.
ALTER TABLE creation_revisions ADD COLUMN restored_number integer;
UPDATE creation_revisions r SET restored_number = (g.detail ->> 'restored')::integer
FROM audit_log g
WHERE g.action = 'creation.restore' AND g.subject_id = r.creation_id
  AND g.detail ->> 'revision_number' = r.revision_number::text;
