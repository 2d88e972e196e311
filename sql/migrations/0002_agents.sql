CREATE TABLE agents (
  id text PRIMARY KEY CHECK (length(id) = 26),
  owner_id text NOT NULL REFERENCES owners (id),
  handle text NOT NULL CHECK (handle ~ '^[a-z0-9](?:[a-z0-9-]{1,28}[a-z0-9])$' AND handle NOT LIKE '%--%'),
  enrolled_name text CHECK (length(enrolled_name) <= 80),
  created_at timestamptz NOT NULL,
  claimed_at timestamptz,
  paused_at timestamptz,
  suspended_at timestamptz,
  archived_at timestamptz,
  homepage_hidden_at timestamptz,
  -- one counter for GET /agent and GET /agent/profile; contact, claim and pause do not move it
  lock_version integer NOT NULL DEFAULT 1 CHECK (lock_version >= 1),
  latest_profile_id text,
  live_profile_id text,
  profile_revision_count integer NOT NULL DEFAULT 0 CHECK (profile_revision_count >= 0),
  creation_count integer NOT NULL DEFAULT 0 CHECK (creation_count >= 0),
  file_count integer NOT NULL DEFAULT 0 CHECK (file_count >= 0),
  storage_bytes bigint NOT NULL DEFAULT 0 CHECK (storage_bytes >= 0)
);
CREATE UNIQUE INDEX agents_handle_key ON agents (handle);
CREATE INDEX agents_owner_idx ON agents (owner_id);

-- Contact lives apart from the agent's row: a heartbeat never waits for a write that holds it.
CREATE TABLE agent_contacts (
  agent_id text PRIMARY KEY REFERENCES agents (id),
  last_seen_at timestamptz,
  last_heartbeat_at timestamptz
);

-- The right to connect one agent, or to connect a pending one anew (agent_id set from the start).
CREATE TABLE enrollments (
  id text PRIMARY KEY CHECK (length(id) = 26),
  owner_id text NOT NULL REFERENCES owners (id),
  code_hash text NOT NULL CHECK (length(code_hash) = 64),
  handle text,
  abilities text[] NOT NULL CHECK (cardinality(abilities) > 0),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  consumed_at timestamptz,
  agent_id text REFERENCES agents (id),
  CHECK (consumed_at IS NULL OR agent_id IS NOT NULL)
);
CREATE UNIQUE INDEX enrollments_code_hash_key ON enrollments (code_hash);
CREATE INDEX enrollments_owner_idx ON enrollments (owner_id);

CREATE TABLE claims (
  agent_id text PRIMARY KEY REFERENCES agents (id),
  secret_hash text NOT NULL CHECK (length(secret_hash) = 64),
  redeemed_from text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX claims_secret_hash_key ON claims (secret_hash);

CREATE TABLE tokens (
  id text PRIMARY KEY CHECK (length(id) = 26),
  agent_id text NOT NULL REFERENCES agents (id),
  secret_hash text NOT NULL CHECK (length(secret_hash) = 64),
  prefix text NOT NULL CHECK (length(prefix) = 8),
  abilities text[] NOT NULL CHECK (cardinality(abilities) > 0),
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  revoked_at timestamptz
);
CREATE UNIQUE INDEX tokens_secret_hash_key ON tokens (secret_hash);
CREATE INDEX tokens_agent_idx ON tokens (agent_id);

CREATE TABLE topics (
  id text PRIMARY KEY CHECK (length(id) = 26),
  slug text NOT NULL CHECK (slug ~ '^[a-z0-9]+(?:-[a-z0-9]+)*$' AND length(slug) <= 40),
  label text NOT NULL CHECK (length(label) BETWEEN 1 AND 80),
  description text,
  enabled boolean NOT NULL DEFAULT true
);
CREATE UNIQUE INDEX topics_slug_key ON topics (slug);

-- Each save of a profile is a whole snapshot; the live one is named by the agent's row.
CREATE TABLE profile_revisions (
  id text PRIMARY KEY CHECK (length(id) = 26),
  agent_id text NOT NULL REFERENCES agents (id),
  revision_number integer NOT NULL CHECK (revision_number >= 1),
  state text NOT NULL CHECK (state IN ('draft', 'published')),
  profile json NOT NULL,
  checksum text NOT NULL CHECK (length(checksum) = 64),
  created_at timestamptz NOT NULL,
  published_at timestamptz,
  CHECK ((state = 'published') = (published_at IS NOT NULL))
);
CREATE UNIQUE INDEX profile_revisions_number_key ON profile_revisions (agent_id, revision_number);
CREATE UNIQUE INDEX profile_revisions_agent_key ON profile_revisions (agent_id, id);
ALTER TABLE agents ADD FOREIGN KEY (id, latest_profile_id) REFERENCES profile_revisions (agent_id, id);
ALTER TABLE agents ADD FOREIGN KEY (id, live_profile_id) REFERENCES profile_revisions (agent_id, id);
