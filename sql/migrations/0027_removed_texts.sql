-- Texts of an owner who left go with the files: left_at is when the owner left, texts_removed_at when an agent's texts
-- were removed. Owners who left before count from then.
ALTER TABLE owners ADD COLUMN left_at timestamptz;
UPDATE owners o SET left_at = coalesce(
    (SELECT max(l.at) FROM audit_log l WHERE l.action = 'owner.leave' AND l.subject_id = o.id), o.created_at)
  WHERE o.status = 'left';
CREATE INDEX owners_left_idx ON owners (left_at) WHERE left_at IS NOT NULL;
ALTER TABLE agents ADD COLUMN texts_removed_at timestamptz;

-- An answer that shows removed content is not replayed: the key stays used, its answer is gone.
ALTER TABLE idempotency_keys ADD COLUMN creation_id text;
ALTER TABLE idempotency_keys ADD COLUMN content_removed boolean NOT NULL DEFAULT false;
