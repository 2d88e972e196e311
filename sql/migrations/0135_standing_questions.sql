-- expand: what live texts have from data is asked again whenever those data change, open or close.

-- One row for each figure, and each chart with rows from a file, of a live text: what the newest data say of it.
CREATE TABLE standing_questions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('figure', 'chart')),
  creation_id text NOT NULL REFERENCES creations (id),
  revision_id text NOT NULL REFERENCES creation_revisions (id),
  -- of a figure in the list of its payload, from 0; of a chart its number
  place smallint NOT NULL,
  -- no reference: the file that was named may be gone
  asset_id text NOT NULL CHECK (length(asset_id) = 26),
  state text NOT NULL DEFAULT 'not_asked'
    CHECK (state IN ('holds', 'differs', 'cannot_be_asked', 'source_closed', 'not_asked')),
  -- the work that was asked, its revision then, and the file of it that stands where the named one stood
  source_id text REFERENCES creations (id),
  revision_number integer CHECK (revision_number >= 1),
  live_asset_id text CHECK (length(live_asset_id) = 26),
  live_sha256 text CHECK (length(live_sha256) = 64),
  -- of a figure, as its text would write it; of a chart, how many rows are in one of the two answers only
  value text CHECK (length(value) BETWEEN 1 AND 200),
  rows_changed integer CHECK (rows_changed >= 0),
  reason text CHECK (length(reason) BETWEEN 1 AND 500),
  asked_at timestamptz,
  UNIQUE (revision_id, kind, place)
);
CREATE INDEX standing_questions_creation_idx ON standing_questions (creation_id);
CREATE INDEX standing_questions_asset_idx ON standing_questions (asset_id);
CREATE INDEX standing_questions_source_idx ON standing_questions (source_id);
CREATE INDEX standing_questions_unasked_idx ON standing_questions (asset_id) WHERE state = 'not_asked';

-- These triggers stand beside those that raise the versions of pages, so that no statement can forget them. A text that
-- goes live asks its questions, one that is taken off the site no longer does.
CREATE FUNCTION keep_standing_questions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM standing_questions WHERE creation_id = NEW.id;
  INSERT INTO standing_questions (kind, creation_id, revision_id, place, asset_id)
    SELECT 'figure', NEW.id, revision_id, position, asset_id FROM revision_figures
      WHERE revision_id = NEW.live_revision_id
    UNION ALL SELECT 'chart', NEW.id, revision_id, chart_number, asset_id FROM revision_charts
      WHERE revision_id = NEW.live_revision_id;
  RETURN NULL;
END $$;
CREATE TRIGGER creations_keep_standing_questions AFTER UPDATE OF live_revision_id ON creations
  FOR EACH ROW WHEN (OLD.live_revision_id IS DISTINCT FROM NEW.live_revision_id AND NEW.type IN ('story', 'brief'))
  EXECUTE FUNCTION keep_standing_questions();

-- Notes that the questions about a work are to be asked again, at once.
CREATE FUNCTION ask_standing_questions(work text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO pending_work (kind, subject, created_at, run_at) VALUES ('ask-standing', work, 'epoch', 'epoch')
  ON CONFLICT (kind, subject) WHERE kind <> 'build-feed'
    DO UPDATE SET id = DEFAULT, attempt = 0, begun_at = NULL, run_at = 'epoch';
  SELECT pg_notify('outbox', 'questions')
$$;

-- Whether a question is about a file of any published revision of a work, or was answered by the work.
CREATE FUNCTION has_standing_questions(work text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM standing_questions WHERE source_id = work)
    OR EXISTS (SELECT 1 FROM creation_revisions r JOIN revision_files f ON f.revision_id = r.id
      JOIN standing_questions q ON q.asset_id = f.asset_id WHERE r.creation_id = work AND r.state = 'published')
$$;

-- A work that stays open is asked by those whom it answered, and by those who named a file that it has now.
CREATE FUNCTION creation_moved() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was_open boolean := OLD.visibility <> 'private' AND OLD.hidden_at IS NULL;
BEGIN
  IF EXISTS (SELECT 1 FROM standing_questions WHERE source_id = NEW.id)
    OR EXISTS (SELECT 1 FROM revision_files f JOIN standing_questions q ON q.asset_id = f.asset_id
      WHERE f.revision_id = NEW.live_revision_id)
    OR (NOT was_open AND has_standing_questions(NEW.id))
  THEN PERFORM ask_standing_questions(NEW.id); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER creations_moved AFTER UPDATE ON creations
  FOR EACH ROW WHEN (OLD.live_revision_id IS DISTINCT FROM NEW.live_revision_id OR OLD.visibility <> NEW.visibility
    OR (OLD.hidden_at IS NULL) <> (NEW.hidden_at IS NULL))
  EXECUTE FUNCTION creation_moved();

CREATE FUNCTION revision_was_emptied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM standing_questions WHERE source_id = NEW.creation_id)
  THEN PERFORM ask_standing_questions(NEW.creation_id); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER creation_revisions_emptied AFTER UPDATE OF content_removed_at ON creation_revisions
  FOR EACH ROW WHEN (OLD.content_removed_at IS NULL AND NEW.content_removed_at IS NOT NULL)
  EXECUTE FUNCTION revision_was_emptied();

CREATE FUNCTION agent_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ask_standing_questions(c.id) FROM creations c
    WHERE c.agent_id = NEW.id AND c.visibility <> 'private' AND has_standing_questions(c.id);
  RETURN NULL;
END $$;
CREATE TRIGGER agents_moved AFTER UPDATE ON agents
  FOR EACH ROW WHEN ((OLD.live_profile_id IS NULL) <> (NEW.live_profile_id IS NULL)
    OR (OLD.archived_at IS NULL) <> (NEW.archived_at IS NULL)
    OR (OLD.suspended_at IS NULL) <> (NEW.suspended_at IS NULL))
  EXECUTE FUNCTION agent_moved();

CREATE FUNCTION owner_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ask_standing_questions(c.id) FROM agents a JOIN creations c ON c.agent_id = a.id
    WHERE a.owner_id = NEW.id AND c.visibility <> 'private' AND has_standing_questions(c.id);
  RETURN NULL;
END $$;
CREATE TRIGGER owners_moved AFTER UPDATE OF status ON owners
  FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION owner_moved();

-- The texts that are live already.
INSERT INTO standing_questions (kind, creation_id, revision_id, place, asset_id)
  SELECT 'figure', c.id, k.revision_id, k.position, k.asset_id
    FROM creations c JOIN revision_figures k ON k.revision_id = c.live_revision_id
  UNION ALL SELECT 'chart', c.id, k.revision_id, k.chart_number, k.asset_id
    FROM creations c JOIN revision_charts k ON k.revision_id = c.live_revision_id;
INSERT INTO pending_work (kind, subject, created_at, run_at)
  SELECT DISTINCT 'ask-standing', r.creation_id, 'epoch'::timestamptz, 'epoch'::timestamptz
  FROM standing_questions q JOIN revision_files f ON f.asset_id = q.asset_id JOIN creation_revisions r ON r.id = f.revision_id
  WHERE r.state = 'published';
