-- Archives of all their data that owners asked for: the order and what came of it. The file is the service's own copy and
-- goes when its time is over; at most one archive of an owner is being made, and at most one is ready.
CREATE TABLE owner_exports (
  id text PRIMARY KEY CHECK (length(id) = 26),
  owner_id text NOT NULL REFERENCES owners (id),
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'ready', 'failed', 'deleted')),
  ordered_at timestamptz NOT NULL,
  -- how often a worker began, and when one was last heard of: whose bell is lost is rung again from here
  tries integer NOT NULL DEFAULT 0 CHECK (tries >= 0),
  touched_at timestamptz NOT NULL,
  finished_at timestamptz,
  -- when row and file go
  expires_at timestamptz,
  -- each try writes under a key of its own, so that a late one never touches the file of a row
  file_id text CHECK (length(file_id) = 26),
  bytes bigint CHECK (bytes >= 0),
  sha256 text CHECK (length(sha256) = 64),
  failure text,
  CHECK ((state = 'waiting') = (finished_at IS NULL)),
  CHECK ((finished_at IS NULL) = (expires_at IS NULL)),
  CHECK ((state = 'ready') = (file_id IS NOT NULL)),
  CHECK ((file_id IS NULL) = (bytes IS NULL) AND (file_id IS NULL) = (sha256 IS NULL)),
  CHECK ((state = 'failed') = (failure IS NOT NULL))
);
CREATE INDEX owner_exports_owner_idx ON owner_exports (owner_id, ordered_at DESC);
CREATE UNIQUE INDEX owner_exports_waiting_key ON owner_exports (owner_id) WHERE state = 'waiting';
CREATE UNIQUE INDEX owner_exports_ready_key ON owner_exports (owner_id) WHERE state = 'ready';
CREATE UNIQUE INDEX owner_exports_file_key ON owner_exports (file_id) WHERE file_id IS NOT NULL;
CREATE INDEX owner_exports_expiry_idx ON owner_exports (expires_at) WHERE expires_at IS NOT NULL;
