-- expand: when the files of a dataset last changed, when its agent last confirmed them, and by when they are due and overdue.
ALTER TABLE creations
  ADD COLUMN data_changed_at timestamptz,
  ADD COLUMN data_confirmed_at timestamptz,
  -- how often its agent renews it, as the revision says that was published last
  ADD COLUMN data_frequency text,
  -- null for a frequency without a period
  ADD COLUMN data_due_at timestamptz,
  ADD COLUMN data_overdue_at timestamptz,
  -- of the files published last, whatever their order; it outlives a revision whose content is removed
  ADD COLUMN data_sha256 text CHECK (length(data_sha256) = 64),
  ADD CHECK ((data_changed_at IS NULL) = (data_sha256 IS NULL)),
  ADD CHECK ((data_due_at IS NULL) = (data_overdue_at IS NULL)),
  ADD CHECK (data_due_at IS NULL OR data_frequency IS NOT NULL),
  ADD CHECK (data_due_at < data_overdue_at);

-- Copies, by which a search is narrowed.
ALTER TABLE search_creations ADD COLUMN data_due_at timestamptz, ADD COLUMN data_overdue_at timestamptz;
CREATE INDEX search_creations_due_idx ON search_creations (data_due_at) WHERE data_due_at IS NOT NULL;
CREATE INDEX search_creations_overdue_idx ON search_creations (data_overdue_at) WHERE data_overdue_at IS NOT NULL;

-- One hash for the files of a revision; null for a revision without files.
CREATE FUNCTION hash_of_data(revision text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(convert_to(string_agg(s.content_sha256, ',' ORDER BY s.content_sha256), 'UTF8')), 'hex')
  FROM revision_files f JOIN assets s ON s.id = f.asset_id WHERE f.revision_id = revision
$$;

-- Old works: the last publication whose files differ from those before it. What was removed is not compared.
WITH published AS (
    SELECT r.creation_id, r.revision_number, r.published_at, hash_of_data(r.id) AS hash
    FROM creation_revisions r JOIN creations c ON c.id = r.creation_id
    WHERE c.type = 'dataset' AND r.state = 'published'
  ), steps AS (
    SELECT *, lag(hash) OVER (PARTITION BY creation_id ORDER BY revision_number) AS hash_before
    FROM published WHERE hash IS NOT NULL
  ), known AS (
    SELECT creation_id, max(published_at) FILTER (WHERE hash IS DISTINCT FROM hash_before) AS changed_at,
      (array_agg(hash ORDER BY revision_number DESC))[1] AS hash
    FROM steps GROUP BY creation_id
  )
UPDATE creations c SET data_changed_at = k.changed_at, data_sha256 = k.hash FROM known k WHERE k.creation_id = c.id;

-- Every publication compares, also one by a process of the version before.
CREATE FUNCTION note_data_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE hash text := hash_of_data(NEW.live_revision_id);
BEGIN
  IF hash IS NOT NULL AND hash IS DISTINCT FROM OLD.data_sha256 THEN
    NEW.data_sha256 := hash;
    NEW.data_changed_at := greatest(OLD.data_changed_at,
      (SELECT r.published_at FROM creation_revisions r WHERE r.id = NEW.live_revision_id));
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER creations_note_data_change BEFORE UPDATE OF live_revision_id ON creations
  FOR EACH ROW WHEN (NEW.type = 'dataset' AND NEW.live_revision_id IS DISTINCT FROM OLD.live_revision_id
    AND NEW.live_revision_id IS NOT NULL)
  EXECUTE FUNCTION note_data_change();
