-- expand: subscriptions of tool clients (SEP-3415), each a webhook that an agent added and that ends by itself.
ALTER TABLE webhooks
  -- the handle under which its receiver knows it; null for a webhook that an owner added
  ADD COLUMN subscription text UNIQUE CHECK (length(subscription) = 36),
  -- what narrows its events
  ADD COLUMN arguments jsonb,
  -- the receiver's secret, and until a day after renewed_at the one before, under a key that the database does not have
  ADD COLUMN sealed_secret text,
  ADD COLUMN sealed_before text,
  -- it ends with the token that made it, or with the connection of that
  ADD COLUMN token_id text REFERENCES tokens (id) ON DELETE CASCADE,
  ADD COLUMN grant_id text REFERENCES oauth_grants (id) ON DELETE CASCADE,
  ADD COLUMN expires_at timestamptz,
  ADD CHECK (subscription IS NULL OR (agent_id IS NOT NULL AND arguments IS NOT NULL AND sealed_secret IS NOT NULL
    AND (token_id IS NULL) <> (grant_id IS NULL) AND expires_at IS NOT NULL));
CREATE INDEX webhooks_token_idx ON webhooks (token_id) WHERE token_id IS NOT NULL;
CREATE INDEX webhooks_grant_idx ON webhooks (grant_id) WHERE grant_id IS NOT NULL;

ALTER TABLE agents ADD COLUMN subscriptions_off_at timestamptz;
