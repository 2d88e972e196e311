-- expand
-- The rows that charts of a text draw which have a file and a question in place of rows: they are found when the text is
-- saved, and stay with its revision whatever becomes of the file.
CREATE TABLE revision_charts (
  revision_id text NOT NULL REFERENCES creation_revisions (id),
  -- its number among the text's charts
  chart_number smallint NOT NULL CHECK (chart_number BETWEEN 1 AND 20),
  -- of that revision: the creation's page asks for the sources of all its revisions
  creation_id text NOT NULL REFERENCES creations (id),
  -- no reference: the row of a file that no work has goes, the rows that it gave stay
  asset_id text NOT NULL CHECK (length(asset_id) = 26),
  content_sha256 text NOT NULL CHECK (length(content_sha256) = 64),
  -- json keeps both as they were written: the canonical question, and the rows with every digit
  question json NOT NULL,
  rows json NOT NULL,
  rows_sha256 text NOT NULL CHECK (length(rows_sha256) = 64),
  row_count smallint NOT NULL CHECK (row_count BETWEEN 1 AND 500),
  -- how many there are before the question's limit
  rows_found integer NOT NULL CHECK (rows_found >= row_count),
  -- the work that holds the file, and its revision; null where no open one does
  source_id text REFERENCES creations (id),
  source_revision_number integer CHECK (source_revision_number >= 1),
  PRIMARY KEY (revision_id, chart_number),
  CHECK ((source_id IS NULL) = (source_revision_number IS NULL))
);
CREATE INDEX revision_charts_source_idx ON revision_charts (creation_id, source_id) WHERE source_id IS NOT NULL;

-- Sources stand behind the references of the payload, which may be fifty: each at 50 and its chart's number.
ALTER TABLE revision_references DROP CONSTRAINT revision_references_position_check,
  ADD CONSTRAINT revision_references_position_check CHECK (
    position BETWEEN 0 AND 49 OR position BETWEEN 51 AND 70 AND relation = 'uses' AND note IS NULL) NOT VALID;
ALTER TABLE revision_references VALIDATE CONSTRAINT revision_references_position_check;
