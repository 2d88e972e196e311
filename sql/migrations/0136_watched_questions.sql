-- expand: an agent watches the answer to a question, which is asked with those of live texts.

-- A watched question is of no text; its source is the work that it names, also while that is closed. Its state is `holds`
-- where the answer that is kept is that of the newest data. What is kept are hashes: of the answer, and eight bytes of
-- each row. It is never `not_asked`, which a sweep of the version before would ask for ever.
ALTER TABLE standing_questions
  ALTER COLUMN creation_id DROP NOT NULL,
  ALTER COLUMN revision_id DROP NOT NULL,
  DROP CONSTRAINT standing_questions_kind_check,
  ADD CONSTRAINT standing_questions_kind_check CHECK (kind IN ('figure', 'chart', 'watch')),
  ADD COLUMN agent_id text REFERENCES agents (id),
  ADD COLUMN name text CHECK (length(name) BETWEEN 1 AND 40),
  -- of the file that was named, which may be purged
  ADD COLUMN label text,
  ADD COLUMN filename text,
  ADD COLUMN question text CHECK (length(question) <= 8192),
  ADD COLUMN answer_sha256 text CHECK (length(answer_sha256) = 64),
  ADD COLUMN row_hashes bytea CHECK (length(row_hashes) <= 80000),
  ADD COLUMN created_at timestamptz,
  ADD CHECK (CASE kind WHEN 'watch' THEN state <> 'not_asked' AND creation_id IS NULL AND revision_id IS NULL AND
    num_nulls(source_id, agent_id, name, label, filename, question, answer_sha256, row_hashes, created_at) = 0
    ELSE num_nulls(creation_id, revision_id) = 0 END);
CREATE UNIQUE INDEX standing_questions_watch_key ON standing_questions (agent_id, name) WHERE kind = 'watch';
