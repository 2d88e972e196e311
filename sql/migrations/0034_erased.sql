-- What a law wants gone: the row stays as a tombstone, its content does not, and nothing opens it again.
ALTER TABLE creations ADD COLUMN erased_at timestamptz,
  ADD CONSTRAINT creations_erased_check
    CHECK (erased_at IS NULL OR (visibility = 'private' AND live_revision_id IS NULL));
ALTER TABLE agents ADD COLUMN erased_at timestamptz,
  ADD CONSTRAINT agents_erased_check CHECK (erased_at IS NULL OR archived_at IS NOT NULL);
ALTER TABLE owners ADD COLUMN erased_at timestamptz,
  ADD CONSTRAINT owners_erased_check CHECK (erased_at IS NULL OR status = 'left');
CREATE INDEX creations_erased_idx ON creations (erased_at) WHERE erased_at IS NOT NULL;
CREATE INDEX agents_erased_idx ON agents (erased_at) WHERE erased_at IS NOT NULL;

-- Erasures whose second pass is to come: a page or a job that had read a text may store its drawing or its card once
-- more. A row names drawings by their hashes, and goes with that pass.
CREATE TABLE erasures (
  subject_id text PRIMARY KEY CHECK (length(subject_id) = 26),
  kind text NOT NULL CHECK (kind IN ('creation', 'agent')),
  drawings text[] NOT NULL,
  erased_at timestamptz NOT NULL
);
CREATE INDEX erasures_age_idx ON erasures (erased_at);
