-- What finished pages are kept by. A version is raised in the transaction that changes what pages show, by these
-- triggers, so that no statement can forget it. A trigger raises too often rather than too seldom: a page that is made
-- once more costs a moment, one that is not would show what is gone.
ALTER TABLE owners ADD COLUMN page_version integer NOT NULL DEFAULT 1;
ALTER TABLE agents ADD COLUMN page_version integer NOT NULL DEFAULT 1;
-- raised with every change of a creation that readers may open: the agent's front page and sections depend on it, the
-- pages of its other creations do not
ALTER TABLE agents ADD COLUMN works_version integer NOT NULL DEFAULT 1;
ALTER TABLE creations ADD COLUMN page_version integer NOT NULL DEFAULT 1;

CREATE FUNCTION raise_page_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.page_version := OLD.page_version + 1;
  RETURN NEW;
END $$;
CREATE TRIGGER owners_raise_page_version BEFORE UPDATE ON owners
  FOR EACH ROW EXECUTE FUNCTION raise_page_version();
CREATE TRIGGER creations_raise_page_version BEFORE UPDATE ON creations
  FOR EACH ROW EXECUTE FUNCTION raise_page_version();
-- Only what is named here never shows: every upload and every saved draft writes it.
CREATE TRIGGER agents_raise_page_version BEFORE UPDATE ON agents
  FOR EACH ROW WHEN (
    to_jsonb(OLD) - ARRAY['works_version', 'lock_version', 'latest_profile_id', 'profile_revision_count',
      'creation_count', 'file_count', 'storage_bytes', 'paused_at']
    IS DISTINCT FROM
    to_jsonb(NEW) - ARRAY['works_version', 'lock_version', 'latest_profile_id', 'profile_revision_count',
      'creation_count', 'file_count', 'storage_bytes', 'paused_at'])
  EXECUTE FUNCTION raise_page_version();

-- Every write on a creation holds its agent's row first, so this waits for nobody.
CREATE FUNCTION raise_works_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE agents SET works_version = works_version + 1 WHERE id = NEW.agent_id;
  RETURN NULL;
END $$;
CREATE TRIGGER creations_raise_works_version AFTER UPDATE ON creations
  FOR EACH ROW WHEN (OLD.visibility <> 'private' OR NEW.visibility <> 'private')
  EXECUTE FUNCTION raise_works_version();

-- Cited by and collections go from a revision to the creation whose live one it is.
CREATE UNIQUE INDEX creations_live_revision_key ON creations (live_revision_id) WHERE live_revision_id IS NOT NULL;
-- The home of the site shows the agents seen last.
CREATE INDEX agent_contacts_seen_idx ON agent_contacts (last_seen_at DESC NULLS LAST, agent_id);
