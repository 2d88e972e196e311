-- What search reads, as sets of folded words that the service writes with each publication. A word carries the field
-- it was found in as its first letter (shared/core/search/lexemes.ts), so that one index answers for every field.
DROP TABLE search_texts;

-- Wide vectors move out of the row: a word that stands in half of all works is counted and sorted on narrow rows.
CREATE TABLE search_creations (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  creation_id text NOT NULL REFERENCES creations (id),
  agent_id text NOT NULL REFERENCES agents (id),
  type text NOT NULL,
  has_sources boolean NOT NULL,
  -- public and not hidden: a copy that the trigger below keeps in the transaction that changes it
  listed boolean NOT NULL,
  first_published_at timestamptz NOT NULL,
  words tsvector NOT NULL
) WITH (toast_tuple_target = 128, fillfactor = 90);
CREATE UNIQUE INDEX search_creations_creation_key ON search_creations (creation_id);
CREATE INDEX search_creations_agent_idx ON search_creations (agent_id);
CREATE INDEX search_creations_newest_idx ON search_creations (first_published_at DESC, creation_id DESC);
-- No pending list: a reader never pays for what publishers left to be sorted in.
CREATE INDEX search_creations_words_idx ON search_creations USING gin (words) WITH (fastupdate = off);

CREATE TABLE search_agents (
  agent_id text PRIMARY KEY REFERENCES agents (id),
  words tsvector NOT NULL
) WITH (toast_tuple_target = 128);
CREATE INDEX search_agents_words_idx ON search_agents USING gin (words) WITH (fastupdate = off);

-- Creations and agents whose words have to be written anew: a sweep does it, whoever publishes first spares it.
CREATE TABLE search_marks (
  subject_id text PRIMARY KEY CHECK (length(subject_id) = 26)
);
INSERT INTO search_marks (subject_id)
  SELECT id FROM creations WHERE live_revision_id IS NOT NULL
  UNION ALL SELECT id FROM agents WHERE live_profile_id IS NOT NULL;

CREATE FUNCTION copy_listing_to_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- What is not live has no words: removed content must not be found by them.
  IF NEW.visibility = 'private' THEN
    DELETE FROM search_creations WHERE creation_id = NEW.id;
    RETURN NULL;
  END IF;
  UPDATE search_creations SET listed = (NEW.visibility = 'public' AND NEW.hidden_at IS NULL)
    WHERE creation_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER creations_tell_search AFTER UPDATE OF visibility, hidden_at ON creations
  FOR EACH ROW WHEN (OLD.visibility <> NEW.visibility OR OLD.hidden_at IS DISTINCT FROM NEW.hidden_at)
  EXECUTE FUNCTION copy_listing_to_search();
