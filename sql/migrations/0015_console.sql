-- What an owner is shown of each session, to know it again and to end it.
ALTER TABLE sessions
  ADD COLUMN method text NOT NULL DEFAULT 'link' CHECK (method IN ('link', 'passkey')),
  ADD COLUMN user_agent text CHECK (length(user_agent) <= 300),
  ADD COLUMN address text CHECK (length(address) <= 64),
  ADD COLUMN last_used_at timestamptz;

-- Use lives apart from the token's row, as contact does from the agent's: a call never waits for who holds the token.
CREATE TABLE token_contacts (
  token_id text PRIMARY KEY REFERENCES tokens (id),
  last_used_at timestamptz NOT NULL
);

-- A new sign-in address waits until a link that was sent there is confirmed.
CREATE TABLE email_changes (
  secret_hash text PRIMARY KEY CHECK (length(secret_hash) = 64),
  owner_id text NOT NULL REFERENCES owners (id),
  email text NOT NULL CHECK (email = lower(email)),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX email_changes_owner_idx ON email_changes (owner_id);

CREATE INDEX audit_log_actor_idx ON audit_log (actor_id, id DESC) WHERE actor_kind = 'owner';
