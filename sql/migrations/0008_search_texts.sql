-- What search reads of a live creation, folded by the service (case, accents) and written with its publication.
CREATE TABLE search_texts (
  creation_id text PRIMARY KEY REFERENCES creations (id),
  title text NOT NULL,
  summary text NOT NULL,
  body text NOT NULL,
  -- file labels and column names
  files text NOT NULL
);
-- Which replaced revisions still hold files: what the 30-day purge looks for.
CREATE INDEX creation_revisions_replaced_idx ON creation_revisions (replaced_at)
  WHERE replaced_at IS NOT NULL AND files_deleted_at IS NULL AND content_removed_at IS NULL;
