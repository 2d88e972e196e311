-- expand: witnesses of the site's own log, and the logs of others that this site is a witness of.

-- Who is asked to cosign each checkpoint of the log that goes on.
CREATE TABLE log_witnesses (
  name text PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 300),
  vkey text NOT NULL CHECK (length(vkey) BETWEEN 1 AND 500),
  -- the prefix of its address
  url text NOT NULL CHECK (length(url) BETWEEN 1 AND 2000),
  added_at timestamptz NOT NULL,
  -- the checkpoint that it signed last, as far as this service knows
  last_log smallint,
  last_size bigint CHECK (last_size >= 0),
  last_at timestamptz,
  -- why the last try came to nothing, and how many did so one after the other
  failure text CHECK (length(failure) BETWEEN 1 AND 500),
  failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
  -- not before then; while a process asks it, no other does
  next_at timestamptz NOT NULL,
  CHECK ((last_log IS NULL) = (last_size IS NULL) AND (last_log IS NULL) = (last_at IS NULL))
);

-- A line stays when its witness goes.
CREATE TABLE log_cosignatures (
  log_number smallint NOT NULL,
  size bigint NOT NULL,
  vkey text NOT NULL CHECK (length(vkey) BETWEEN 1 AND 500),
  line text NOT NULL CHECK (length(line) BETWEEN 1 AND 1000),
  PRIMARY KEY (log_number, size, vkey),
  FOREIGN KEY (log_number, size) REFERENCES log_checkpoints (log_number, size)
);

-- How many witnesses had signed a checkpoint when it reached the quorum; never set behind one that has it.
ALTER TABLE log_checkpoints ADD COLUMN witnesses smallint CHECK (witnesses >= 1);
CREATE INDEX log_checkpoints_witnessed_idx ON log_checkpoints (log_number, size) WHERE witnesses IS NOT NULL;

CREATE TRIGGER log_checkpoints_announce AFTER INSERT OR UPDATE OF note ON log_checkpoints
  FOR EACH STATEMENT EXECUTE FUNCTION announce_outbox('witnesses');
CREATE TRIGGER log_witnesses_announce AFTER INSERT ON log_witnesses
  FOR EACH STATEMENT EXECUTE FUNCTION announce_outbox('witnesses');

-- The logs of others. A row stays when its log is removed, so that what was cosigned is never forgotten.
CREATE TABLE witnessed_logs (
  origin text PRIMARY KEY CHECK (length(origin) BETWEEN 1 AND 300),
  added_at timestamptz NOT NULL,
  removed_at timestamptz,
  -- the key of this site that cosigns it
  vkey text NOT NULL CHECK (length(vkey) BETWEEN 1 AND 500),
  -- what was cosigned last with that key; no root where nothing was
  size bigint NOT NULL DEFAULT 0 CHECK (size >= 0),
  root bytea CHECK (octet_length(root) = 32),
  -- the checkpoint with the lines of the log's known keys and of this site
  note text CHECK (length(note) BETWEEN 1 AND 65536),
  cosigned_at timestamptz,
  -- set by a restore: what was cosigned since the backup is unknown
  restored_at timestamptz,
  CHECK ((root IS NULL) = (note IS NULL) AND (root IS NULL) = (cosigned_at IS NULL) AND (root IS NOT NULL OR size = 0))
);

CREATE TABLE witnessed_log_keys (
  origin text NOT NULL REFERENCES witnessed_logs (origin),
  vkey text NOT NULL CHECK (length(vkey) BETWEEN 1 AND 500),
  PRIMARY KEY (origin, vkey)
);
