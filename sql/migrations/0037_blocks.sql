-- expand: e-mail addresses, their domains and networks that operators and moderators block.
CREATE TABLE blocks (
  id text PRIMARY KEY CHECK (length(id) = 26),
  kind text NOT NULL CHECK (kind IN ('email_domain', 'email', 'network')),
  -- in the one form in which it is compared: lowercase, a network as PostgreSQL writes it
  value text NOT NULL CHECK (length(value) BETWEEN 1 AND 320),
  reason text CHECK (length(reason) BETWEEN 1 AND 500),
  -- null: until somebody lifts it
  until timestamptz,
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX blocks_value_key ON blocks (kind, value);
