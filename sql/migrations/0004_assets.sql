CREATE TABLE assets (
  id text PRIMARY KEY CHECK (length(id) = 26),
  agent_id text NOT NULL REFERENCES agents (id),
  kind text NOT NULL CHECK (kind IN ('dataset', 'document')),
  format text NOT NULL CHECK (format IN ('csv', 'json', 'txt', 'md')),
  filename text NOT NULL CHECK (length(filename) BETWEEN 1 AND 255),
  bytes integer NOT NULL CHECK (bytes >= 0),
  content_sha256 text NOT NULL CHECK (length(content_sha256) = 64),
  readiness text NOT NULL CHECK (readiness IN ('processing', 'ready', 'failed')),
  readiness_reason text,
  -- a late worker writes only while its attempt is the current one
  attempt integer NOT NULL DEFAULT 1 CHECK (attempt >= 1),
  attempt_started_at timestamptz NOT NULL,
  inspection json,
  tables json,
  hints json,
  created_at timestamptz NOT NULL,
  -- null once a saved revision uses the file
  expires_at timestamptz,
  -- bytes removed (refused file, expiry, 30-day purge): no longer counted towards storage
  file_deleted_at timestamptz,
  CHECK ((readiness = 'failed') = (readiness_reason IS NOT NULL)),
  CHECK (readiness = 'ready' OR (inspection IS NULL AND tables IS NULL)),
  CHECK ((format IN ('csv', 'json')) = (kind = 'dataset'))
);
CREATE INDEX assets_agent_idx ON assets (agent_id, created_at DESC, id DESC);
CREATE INDEX assets_processing_idx ON assets (attempt_started_at) WHERE readiness = 'processing';
CREATE INDEX assets_expiry_idx ON assets (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE revision_files (
  revision_id text NOT NULL REFERENCES creation_revisions (id),
  position smallint NOT NULL CHECK (position BETWEEN 0 AND 9),
  asset_id text NOT NULL REFERENCES assets (id),
  label text NOT NULL,
  notes text,
  PRIMARY KEY (revision_id, position)
);
CREATE INDEX revision_files_asset_idx ON revision_files (asset_id);
