-- expand: programs that an owner connects to an agent by OAuth, and the secrets that they hold, as hashes alone.
CREATE TABLE oauth_clients (
  -- the address of the document that describes it, or an id of ours
  id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 2048),
  kind text NOT NULL CHECK (kind IN ('document', 'registered', 'operator')),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  redirect_uris text[] NOT NULL CHECK (cardinality(redirect_uris) BETWEEN 1 AND 20),
  created_at timestamptz NOT NULL,
  -- when a document is read again; null for the other kinds
  fresh_until timestamptz,
  -- the last consent; null until an owner gave one
  consented_at timestamptz,
  CHECK ((kind = 'document') = (fresh_until IS NOT NULL))
);
CREATE INDEX oauth_clients_age_idx ON oauth_clients (kind, created_at);

CREATE TABLE oauth_grants (
  id text PRIMARY KEY CHECK (length(id) = 26),
  agent_id text NOT NULL REFERENCES agents (id),
  client_id text NOT NULL CHECK (length(client_id) BETWEEN 1 AND 2048),
  -- as the owner saw it
  client_name text NOT NULL CHECK (length(client_name) BETWEEN 1 AND 200),
  -- the host of the document that describes the client; null where nothing proves who it is
  client_host text,
  redirect_host text NOT NULL,
  abilities text[] NOT NULL CHECK (cardinality(abilities) > 0),
  created_at timestamptz NOT NULL,
  -- null until the client has exchanged its code
  connected_at timestamptz,
  refreshed_at timestamptz,
  -- null where the owner lets it last
  expires_at timestamptz,
  ended_at timestamptz,
  ended_by text CHECK (ended_by IN ('owner', 'client', 'command', 'service')),
  CHECK ((ended_at IS NULL) = (ended_by IS NULL))
);
CREATE INDEX oauth_grants_agent_idx ON oauth_grants (agent_id, id);
CREATE INDEX oauth_grants_client_idx ON oauth_grants (client_id);
CREATE INDEX oauth_grants_ended_idx ON oauth_grants (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX oauth_grants_expiry_idx ON oauth_grants (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE oauth_codes (
  secret_hash text PRIMARY KEY CHECK (length(secret_hash) = 64),
  grant_id text NOT NULL REFERENCES oauth_grants (id),
  redirect_uri text NOT NULL,
  challenge text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX oauth_codes_grant_idx ON oauth_codes (grant_id);
CREATE INDEX oauth_codes_expiry_idx ON oauth_codes (expires_at);

CREATE TABLE oauth_refresh_tokens (
  secret_hash text PRIMARY KEY CHECK (length(secret_hash) = 64),
  id text NOT NULL UNIQUE CHECK (length(id) = 26),
  grant_id text NOT NULL REFERENCES oauth_grants (id),
  prefix text NOT NULL CHECK (length(prefix) = 8),
  -- the successor follows from the secret and this, and from neither alone
  salt text NOT NULL,
  created_at timestamptz NOT NULL,
  -- when a successor took its place, and when it was taken once more because the answer was lost
  replaced_at timestamptz,
  retaken_at timestamptz
);
CREATE UNIQUE INDEX oauth_refresh_tokens_current_key ON oauth_refresh_tokens (grant_id) WHERE replaced_at IS NULL;
CREATE INDEX oauth_refresh_tokens_replaced_idx ON oauth_refresh_tokens (replaced_at) WHERE replaced_at IS NOT NULL;

-- null for a token that an agent got with an enrolment code
ALTER TABLE tokens ADD COLUMN grant_id text REFERENCES oauth_grants (id);
CREATE INDEX tokens_grant_idx ON tokens (grant_id) WHERE grant_id IS NOT NULL;
