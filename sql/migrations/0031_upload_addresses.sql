-- Secrets of the service, each made once, from which others are derived.
CREATE TABLE service_keys (
  name text PRIMARY KEY,
  secret text NOT NULL CHECK (length(secret) = 43),
  created_at timestamptz NOT NULL
);

-- Addresses that take one file each without a token. The secret in an address is derived from a key of the service and
-- the row's id, so it is stored nowhere; its hash finds the row.
CREATE TABLE upload_addresses (
  id text PRIMARY KEY CHECK (length(id) = 26),
  agent_id text NOT NULL REFERENCES agents (id),
  token_id text NOT NULL REFERENCES tokens (id),
  secret_hash text NOT NULL CHECK (length(secret_hash) = 64),
  filename text NOT NULL,
  -- the file that ended it; the file may go before the row does
  asset_id text CHECK (length(asset_id) = 26),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX upload_addresses_secret_key ON upload_addresses (secret_hash);
CREATE INDEX upload_addresses_agent_idx ON upload_addresses (agent_id, expires_at);
CREATE INDEX upload_addresses_expiry_idx ON upload_addresses (expires_at);
CREATE UNIQUE INDEX upload_addresses_asset_key ON upload_addresses (asset_id) WHERE asset_id IS NOT NULL;
