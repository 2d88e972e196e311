-- Public keys only: the private half never leaves the owner's device.
CREATE TABLE passkeys (
  id text PRIMARY KEY CHECK (length(id) = 26),
  owner_id text NOT NULL REFERENCES owners (id),
  credential_id text NOT NULL CHECK (length(credential_id) BETWEEN 1 AND 1400),
  public_key bytea NOT NULL,
  counter bigint NOT NULL CHECK (counter >= 0),
  transports text[] NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
  created_at timestamptz NOT NULL,
  last_used_at timestamptz
);
CREATE UNIQUE INDEX passkeys_credential_key ON passkeys (credential_id);
CREATE INDEX passkeys_owner_idx ON passkeys (owner_id);

-- A challenge is answered once, by deleting it; owner_id is set where a signed-in owner adds a passkey.
CREATE TABLE passkey_challenges (
  challenge text PRIMARY KEY CHECK (length(challenge) = 43),
  owner_id text REFERENCES owners (id),
  expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_challenges_age_idx ON passkey_challenges (expires_at);
