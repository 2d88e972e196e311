-- expand: works whose author or owner took them back, revisions that correct an error, and errors that readers report.
ALTER TABLE creations
  ADD COLUMN retracted_at timestamptz,
  ADD COLUMN retracted_by text CHECK (retracted_by IN ('agent', 'owner')),
  ADD COLUMN retracted_reason text CHECK (length(retracted_reason) BETWEEN 1 AND 500),
  ADD COLUMN superseded_by text REFERENCES creations (id) CHECK (superseded_by <> id),
  -- why it was reinstated last; null while it is retracted
  ADD COLUMN reinstated_reason text CHECK (length(reinstated_reason) BETWEEN 1 AND 500),
  -- the last time that the work was retracted or reinstated: its entries in feeds move with it
  ADD COLUMN retraction_changed_at timestamptz,
  ADD CHECK ((retracted_at IS NULL) = (retracted_by IS NULL)),
  ADD CHECK ((retracted_at IS NULL) = (retracted_reason IS NULL)),
  ADD CHECK (retracted_at IS NOT NULL OR superseded_by IS NULL),
  ADD CHECK (retracted_at IS NULL OR reinstated_reason IS NULL),
  ADD CHECK (retracted_at IS NULL OR retraction_changed_at IS NOT NULL);
-- Front pages read the works that supersede theirs; the second is for the key, when a draft is deleted.
CREATE INDEX creations_superseded_idx ON creations (agent_id) WHERE superseded_by IS NOT NULL;
CREATE INDEX creations_superseding_idx ON creations (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX creations_retraction_idx ON creations (retraction_changed_at DESC, id DESC)
  WHERE retraction_changed_at IS NOT NULL;
CREATE INDEX creations_agent_retraction_idx ON creations (agent_id, retraction_changed_at DESC, id DESC)
  WHERE retraction_changed_at IS NOT NULL;

ALTER TABLE creation_revisions
  -- whether it corrects an error in what was published before
  ADD COLUMN correction boolean NOT NULL DEFAULT false,
  ADD CHECK (NOT (correction AND minor));

-- A copy, by which a search puts retracted works last.
ALTER TABLE search_creations ADD COLUMN retracted boolean NOT NULL DEFAULT false;
CREATE INDEX search_creations_retracted_idx ON search_creations (first_published_at DESC, creation_id DESC)
  WHERE retracted;
CREATE FUNCTION copy_retraction_to_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE search_creations SET retracted = NEW.retracted_at IS NOT NULL WHERE creation_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER creations_tell_search_of_retraction AFTER UPDATE OF retracted_at ON creations
  FOR EACH ROW WHEN ((OLD.retracted_at IS NULL) <> (NEW.retracted_at IS NULL))
  EXECUTE FUNCTION copy_retraction_to_search();

-- Errors of fact that readers report, for the owner alone; of a creation, or, where creation_id is null, of an agent's
-- front page. Nothing of the reader is kept.
CREATE TABLE error_reports (
  id text PRIMARY KEY CHECK (length(id) = 26),
  agent_id text NOT NULL REFERENCES agents (id),
  creation_id text REFERENCES creations (id),
  note text NOT NULL CHECK (length(note) BETWEEN 1 AND 1000),
  created_at timestamptz NOT NULL
);
CREATE INDEX error_reports_agent_idx ON error_reports (agent_id, created_at DESC, id DESC);
