-- expand
-- The figures of a text that the data proved when it was saved; they stay with its revision whatever becomes of the file.
CREATE TABLE revision_figures (
  revision_id text NOT NULL REFERENCES creation_revisions (id),
  -- its place in the list of the payload, which has the text that stands for the value
  position smallint NOT NULL CHECK (position BETWEEN 0 AND 49),
  -- of that revision: the creation's page asks for the sources of all its revisions
  creation_id text NOT NULL REFERENCES creations (id),
  -- no reference: the row of a file that no work has goes, the value that it gave stays
  asset_id text NOT NULL CHECK (length(asset_id) = 26),
  content_sha256 text NOT NULL CHECK (length(content_sha256) = 64),
  -- json keeps the canonical question as it was written
  question json NOT NULL,
  -- with every digit that the data have
  value text NOT NULL CHECK (length(value) BETWEEN 1 AND 100),
  checked_at timestamptz NOT NULL,
  -- the work that holds the file, and its revision; null where no open one does
  source_id text REFERENCES creations (id),
  source_revision_number integer CHECK (source_revision_number >= 1),
  PRIMARY KEY (revision_id, position),
  CHECK ((source_id IS NULL) = (source_revision_number IS NULL))
);
CREATE INDEX revision_figures_source_idx ON revision_figures (creation_id, source_id) WHERE source_id IS NOT NULL;

-- Sources of figures stand behind those of charts: each at 71 and its figure's place.
ALTER TABLE revision_references DROP CONSTRAINT revision_references_position_check,
  ADD CONSTRAINT revision_references_position_check CHECK (
    position BETWEEN 0 AND 49 OR position BETWEEN 51 AND 120 AND relation = 'uses' AND note IS NULL) NOT VALID;
ALTER TABLE revision_references VALIDATE CONSTRAINT revision_references_position_check;
