-- expand: how many rows and cells each update of a dataset changed in its files, kept when the files are gone.
-- One row an update: a worker compares its files with those of the revision that was live before.
CREATE TABLE revision_comparisons (
  revision_id text PRIMARY KEY REFERENCES creation_revisions (id),
  creation_id text NOT NULL REFERENCES creations (id),
  base_id text NOT NULL REFERENCES creation_revisions (id),
  -- when its job was enqueued last
  enqueued_at timestamptz NOT NULL,
  -- how often a worker began: one that dies each time is given up
  tries integer NOT NULL DEFAULT 0 CHECK (tries >= 0),
  -- null while it is not known what changed
  finished_at timestamptz,
  CHECK (base_id <> revision_id)
);
CREATE INDEX revision_comparisons_creation_idx ON revision_comparisons (creation_id);
CREATE INDEX revision_comparisons_base_idx ON revision_comparisons (base_id);
CREATE INDEX revision_comparisons_unfinished_idx ON revision_comparisons (enqueued_at) WHERE finished_at IS NULL;

-- One row a file of an update whose bytes differ from those of its pair before.
CREATE TABLE revision_file_diffs (
  revision_id text NOT NULL REFERENCES revision_comparisons (revision_id),
  -- the place of the file in its revision, which has the label
  position smallint NOT NULL CHECK (position >= 0),
  -- no references: the row of a file that no work has goes, the counts stay
  base_asset_id text NOT NULL CHECK (length(base_asset_id) = 26),
  head_asset_id text NOT NULL CHECK (length(head_asset_id) = 26),
  base_sha256 text NOT NULL CHECK (length(base_sha256) = 64),
  head_sha256 text NOT NULL CHECK (length(head_sha256) = 64),
  outcome text NOT NULL CHECK (outcome IN ('counted', 'no_table', 'several_tables', 'too_long', 'deleted')),
  -- the counts; json keeps the names of columns as they are written
  rows json,
  PRIMARY KEY (revision_id, position),
  CHECK ((outcome = 'counted') = (rows IS NOT NULL))
);
CREATE INDEX revision_file_diffs_pair_idx ON revision_file_diffs (base_sha256, head_sha256);

-- Pages show the counts, so they are rendered anew where those come or go.
CREATE FUNCTION touch_compared_creation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE creations SET page_version = page_version WHERE id = OLD.creation_id;
  RETURN NULL;
END $$;
CREATE TRIGGER revision_comparisons_touch_creation AFTER UPDATE ON revision_comparisons
  FOR EACH ROW WHEN (OLD.finished_at IS DISTINCT FROM NEW.finished_at) EXECUTE FUNCTION touch_compared_creation();
CREATE TRIGGER revision_comparisons_touch_creation_at_end AFTER DELETE ON revision_comparisons
  FOR EACH ROW EXECUTE FUNCTION touch_compared_creation();

-- Updates from before, as far as both revisions have their files.
INSERT INTO revision_comparisons (revision_id, creation_id, base_id, enqueued_at)
SELECT r.id, c.id, b.id, r.published_at
FROM creations c JOIN creation_revisions r ON r.creation_id = c.id JOIN LATERAL (
    SELECT e.id, e.content_removed_at, e.files_deleted_at FROM creation_revisions e
    WHERE e.creation_id = c.id AND e.state = 'published' AND e.revision_number < r.revision_number
    ORDER BY e.revision_number DESC LIMIT 1) AS b ON true
WHERE c.type = 'dataset' AND r.state = 'published' AND r.published_at IS NOT NULL
  AND coalesce(r.content_removed_at, r.files_deleted_at, b.content_removed_at, b.files_deleted_at) IS NULL;
