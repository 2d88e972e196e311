-- expand: webhooks of owners, and what is sent to each.
CREATE TABLE webhooks (
  -- the secret follows from it, the generation and a key of the service, which the database does not have
  id text PRIMARY KEY CHECK (length(id) = 26),
  owner_id text NOT NULL REFERENCES owners (id),
  -- null: the events of all agents of the owner
  agent_id text REFERENCES agents (id),
  url text NOT NULL CHECK (length(url) BETWEEN 8 AND 2048),
  types text[] NOT NULL CHECK (cardinality(types) > 0),
  status text NOT NULL CHECK (status IN ('unverified', 'active', 'disabled', 'ended')),
  -- why the service disabled it
  status_reason text CHECK (status_reason IN ('failing', 'restored')),
  status_at timestamptz NOT NULL,
  generation integer NOT NULL DEFAULT 1 CHECK (generation > 0),
  -- for a day from then on, the secret of the generation before signs too
  renewed_at timestamptz,
  -- null while the last try of something succeeded
  failing_since timestamptz,
  -- the receiver asked for a pause
  resting_until timestamptz,
  created_at timestamptz NOT NULL,
  CHECK ((status = 'disabled') = (status_reason IS NOT NULL))
);
CREATE INDEX webhooks_owner_idx ON webhooks (owner_id, id);
CREATE INDEX webhooks_agent_idx ON webhooks (agent_id) WHERE agent_id IS NOT NULL;

CREATE TABLE webhook_deliveries (
  webhook_id text NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  -- the id of the event, as its agent is told of it
  message_id text NOT NULL CHECK (length(message_id) = 26),
  -- the event, which is deleted for its age, and the agent that is told of it; null for a test and for the question for
  -- consent, which are no events
  position bigint,
  agent_id text REFERENCES agents (id),
  type text NOT NULL CHECK (length(type) BETWEEN 1 AND 60),
  state text NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed')),
  tries integer NOT NULL DEFAULT 0 CHECK (tries >= 0),
  due_at timestamptz NOT NULL,
  -- a process sends it and has until then to say what came of it
  claimed_until timestamptz,
  tried_at timestamptz,
  -- of the last try: the status of the answer, and what failed
  status integer CHECK (status BETWEEN 100 AND 999),
  failure text CHECK (length(failure) BETWEEN 1 AND 40),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (webhook_id, message_id),
  CHECK ((position IS NULL) = (agent_id IS NULL)),
  CHECK (state = 'waiting' OR claimed_until IS NULL),
  CHECK (state <> 'failed' OR failure IS NOT NULL)
);
CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries (webhook_id, due_at) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_claimed_idx ON webhook_deliveries (webhook_id, claimed_until)
  WHERE claimed_until IS NOT NULL;
CREATE INDEX webhook_deliveries_list_idx ON webhook_deliveries (webhook_id, created_at DESC, message_id DESC);
CREATE INDEX webhook_deliveries_age_idx ON webhook_deliveries (created_at);
CREATE INDEX webhook_deliveries_agent_idx ON webhook_deliveries (agent_id) WHERE agent_id IS NOT NULL;

-- What an owner had sent in the last hour, so that it can be counted; older rows go with the next one.
CREATE TABLE webhook_asks (
  owner_id text NOT NULL REFERENCES owners (id),
  at timestamptz NOT NULL
);
CREATE INDEX webhook_asks_owner_idx ON webhook_asks (owner_id, at);

-- Committed deliveries are announced to the processes that send them, on the channel of the outboxes.
CREATE FUNCTION announce_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added) THEN PERFORM pg_notify('outbox', 'deliveries'); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_deliveries_announce AFTER INSERT ON webhook_deliveries
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION announce_deliveries();
CREATE FUNCTION announce_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('outbox', 'deliveries');
  RETURN NULL;
END $$;
-- An owner sends one again.
CREATE TRIGGER webhook_deliveries_announce_again AFTER UPDATE OF state ON webhook_deliveries
  FOR EACH ROW WHEN (OLD.state <> 'waiting' AND NEW.state = 'waiting') EXECUTE FUNCTION announce_delivery();
