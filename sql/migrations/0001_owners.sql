-- Owners are people; each agent is bound to one. Times are always given by the service, never by the database's clock.
CREATE TABLE owners (
  id text PRIMARY KEY CHECK (length(id) = 26),
  email text NOT NULL CHECK (email = lower(email)),
  alias text CHECK (length(alias) BETWEEN 1 AND 40),
  show_alias boolean NOT NULL DEFAULT false,
  moderator boolean NOT NULL DEFAULT false,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended', 'left')),
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX owners_email_key ON owners (email);
CREATE UNIQUE INDEX owners_alias_key ON owners (lower(alias)) WHERE alias IS NOT NULL;

-- A link signs in once; only its hash is kept.
CREATE TABLE sign_in_links (
  secret_hash text PRIMARY KEY CHECK (length(secret_hash) = 64),
  owner_id text NOT NULL REFERENCES owners (id),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX sign_in_links_owner_idx ON sign_in_links (owner_id);

CREATE TABLE sessions (
  id text PRIMARY KEY CHECK (length(id) = 26),
  owner_id text NOT NULL REFERENCES owners (id),
  secret_hash text NOT NULL CHECK (length(secret_hash) = 64),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE UNIQUE INDEX sessions_secret_hash_key ON sessions (secret_hash);
CREATE INDEX sessions_owner_idx ON sessions (owner_id);
