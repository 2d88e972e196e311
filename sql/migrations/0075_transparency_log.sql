-- expand: the transparency log of publications.
CREATE TABLE logs (
  -- 1, and 2 once `log reopen` has begun another one
  number smallint PRIMARY KEY CHECK (number >= 1),
  origin text NOT NULL UNIQUE CHECK (length(origin) BETWEEN 1 AND 300),
  began_at timestamptz NOT NULL,
  -- set by a restore: what was signed since the backup is unknown, so nothing more is signed in this log
  restored_at timestamptz
);

-- The public halves of the keys of a log; the database never has the others.
CREATE TABLE log_keys (
  log_number smallint NOT NULL REFERENCES logs (number),
  vkey text NOT NULL CHECK (length(vkey) BETWEEN 1 AND 500),
  added_at timestamptz NOT NULL,
  -- when a key signs no more; null for the newest one
  retires_at timestamptz,
  PRIMARY KEY (log_number, vkey)
);

CREATE TABLE log_entries (
  log_number smallint NOT NULL REFERENCES logs (number),
  index bigint NOT NULL CHECK (index >= 0),
  entry bytea NOT NULL CHECK (octet_length(entry) BETWEEN 1 AND 1024),
  leaf_hash bytea NOT NULL CHECK (octet_length(leaf_hash) = 32),
  PRIMARY KEY (log_number, index)
);

-- The hashes of full tiles, each at its place in the level above; level 0 is that of the leaves.
CREATE TABLE log_nodes (
  log_number smallint NOT NULL REFERENCES logs (number),
  level smallint NOT NULL CHECK (level BETWEEN 1 AND 63),
  index bigint NOT NULL CHECK (index >= 0),
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  PRIMARY KEY (log_number, level, index)
);

CREATE TABLE log_checkpoints (
  log_number smallint NOT NULL REFERENCES logs (number),
  size bigint NOT NULL CHECK (size >= 0),
  note text NOT NULL CHECK (length(note) BETWEEN 1 AND 5000),
  signed_at timestamptz NOT NULL,
  PRIMARY KEY (log_number, size)
);

-- Where the last publication of a revision stands, and what its commitment is opened with.
CREATE TABLE log_records (
  revision_id text PRIMARY KEY REFERENCES creation_revisions (id),
  creation_id text NOT NULL REFERENCES creations (id),
  log_number smallint NOT NULL,
  index bigint NOT NULL,
  -- whether the entry names nobody, as the work was unlisted
  unlisted boolean NOT NULL,
  -- both null once the content is removed
  nonce bytea CHECK (octet_length(nonce) = 32),
  statement text CHECK (length(statement) BETWEEN 1 AND 2000),
  CHECK ((nonce IS NULL) = (statement IS NULL)),
  FOREIGN KEY (log_number, index) REFERENCES log_entries (log_number, index)
);
-- The newest one is in the version of the page.
CREATE INDEX log_records_creation_idx ON log_records (creation_id, log_number, index);

-- What the log does not have yet, in the order of commits for each work. Rows without a log wait for one.
CREATE TABLE log_outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  type text NOT NULL CHECK (type IN ('published', 'content_removed', 'retracted', 'reinstated')),
  -- no references, which every publication would pay for: what was published is never deleted
  creation_id text NOT NULL CHECK (length(creation_id) = 26),
  -- null for what is done to a work as a whole
  revision_id text CHECK (length(revision_id) = 26),
  -- whether the work was unlisted then; null where the entry goes by that of the publication
  unlisted boolean,
  removed_by text CHECK (removed_by IN ('owner', 'moderator')),
  at timestamptz NOT NULL,
  CHECK ((type = 'published') = (unlisted IS NOT NULL)),
  CHECK ((type = 'content_removed') = (removed_by IS NOT NULL)),
  CHECK ((type IN ('published', 'content_removed')) = (revision_id IS NOT NULL))
);

CREATE TRIGGER log_outbox_announces AFTER INSERT ON log_outbox
  FOR EACH STATEMENT EXECUTE FUNCTION announce_outbox('log');

-- Triggers write the outbox, so that no statement and no process of the version before can forget it.
CREATE FUNCTION log_publication() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO log_outbox (type, creation_id, revision_id, unlisted, at)
  SELECT 'published', NEW.id, r.id, NEW.visibility <> 'public', r.published_at
  FROM creation_revisions r WHERE r.id = NEW.live_revision_id AND r.published_at IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER creations_log_publication AFTER UPDATE OF live_revision_id ON creations
  FOR EACH ROW WHEN (NEW.live_revision_id IS NOT NULL AND NEW.live_revision_id IS DISTINCT FROM OLD.live_revision_id)
  EXECUTE FUNCTION log_publication();

-- Erasing takes the reasons away as well, which is no reinstatement.
CREATE FUNCTION log_retraction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO log_outbox (type, creation_id, at) VALUES (
    CASE WHEN NEW.retracted_at IS NULL THEN 'reinstated' ELSE 'retracted' END, NEW.id, NEW.retraction_changed_at);
  RETURN NULL;
END $$;
CREATE TRIGGER creations_log_retraction AFTER UPDATE OF retracted_at ON creations
  FOR EACH ROW WHEN ((OLD.retracted_at IS NULL) <> (NEW.retracted_at IS NULL)
    AND (NEW.retracted_at IS NOT NULL OR NEW.reinstated_reason IS NOT NULL))
  EXECUTE FUNCTION log_retraction();

-- Without its nonce a commitment says nothing of what it was made of.
CREATE FUNCTION log_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE log_records SET nonce = NULL, statement = NULL WHERE revision_id = NEW.id;
  INSERT INTO log_outbox (type, creation_id, revision_id, removed_by, at)
  VALUES ('content_removed', NEW.creation_id, NEW.id, NEW.content_removed_by, NEW.content_removed_at);
  RETURN NULL;
END $$;
CREATE TRIGGER revisions_log_removal AFTER UPDATE OF content_removed_at ON creation_revisions
  FOR EACH ROW WHEN (OLD.content_removed_at IS NULL AND NEW.content_removed_at IS NOT NULL AND NEW.state = 'published')
  EXECUTE FUNCTION log_removal();

-- What was published before, in the order of that, and what was removed and retracted of it. A work that is not public
-- now may have been unlisted then, so its entries name nobody.
INSERT INTO log_outbox (type, creation_id, revision_id, unlisted, removed_by, at)
SELECT type, creation_id, revision_id, unlisted, removed_by, at FROM (
  SELECT 'published' AS type, c.id AS creation_id, r.id AS revision_id, c.visibility <> 'public' AS unlisted,
    NULL AS removed_by, r.published_at AS at, 1 AS place
  FROM creation_revisions r JOIN creations c ON c.id = r.creation_id
  WHERE r.state = 'published' AND r.published_at IS NOT NULL
  UNION ALL
  SELECT 'content_removed', r.creation_id, r.id, NULL, r.content_removed_by, r.content_removed_at, 2
  FROM creation_revisions r
  WHERE r.state = 'published' AND r.published_at IS NOT NULL AND r.content_removed_at IS NOT NULL
  UNION ALL
  SELECT 'retracted', c.id, NULL, NULL, NULL, c.retracted_at, 2
  FROM creations c WHERE c.retracted_at IS NOT NULL
) AS earlier ORDER BY at, place, revision_id;
