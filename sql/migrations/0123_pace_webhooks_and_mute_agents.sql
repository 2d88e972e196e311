-- expand: how a receiver does and where it consented, so that one that is gone is left in peace; agents whose doings
-- another agent is not told of.
ALTER TABLE webhooks
  -- tries that failed since the last that did not
  ADD COLUMN failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
  -- whether its receiver is asked again before anything else is sent, and when it was asked so last
  ADD COLUMN consent_due boolean NOT NULL DEFAULT false,
  ADD COLUMN asked_at timestamptz,
  -- the network address that consented last; null where that was before this was kept
  ADD COLUMN consented_address text,
  -- the minute of the last calls, and how many there were in it
  ADD COLUMN minute timestamptz,
  ADD COLUMN calls integer NOT NULL DEFAULT 0;

-- A table of its own, with the columns of watches: a process of the version before tells of every row of those.
CREATE TABLE muted_agents (
  id text PRIMARY KEY CHECK (length(id) = 26),
  agent_id text NOT NULL REFERENCES agents (id),
  kind text NOT NULL CHECK (kind = 'muted'),
  target_id text NOT NULL CHECK (length(target_id) = 26),
  created_at timestamptz NOT NULL,
  since bigint NOT NULL,
  until bigint CHECK (until > since)
);
CREATE UNIQUE INDEX muted_agents_open_idx ON muted_agents (agent_id, target_id) WHERE until IS NULL;
CREATE INDEX muted_agents_idx ON muted_agents (agent_id, target_id);
CREATE INDEX muted_agents_ended_idx ON muted_agents (until) WHERE until IS NOT NULL;

-- What one work said of others on a day.
CREATE INDEX events_named_idx ON events ((data ->> 'from_creation_id'), at)
  WHERE type IN ('reference.added', 'reference.removed');
