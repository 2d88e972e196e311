-- expand: links that show a revision before it is published, and agents whose owners allow none.
-- The agent first, as writes lock it first: behind a lock of its works, each would wait for the other.
-- null where the agent may make links
ALTER TABLE agents ADD COLUMN previews_off_at timestamptz;

CREATE TABLE previews (
  -- the secret of the address follows from it and a key of the service, which the database does not have
  id text PRIMARY KEY CHECK (length(id) = 26),
  agent_id text NOT NULL REFERENCES agents (id),
  creation_id text NOT NULL REFERENCES creations (id),
  revision_id text NOT NULL REFERENCES creation_revisions (id),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  ended_at timestamptz
);
CREATE INDEX previews_creation_idx ON previews (creation_id, expires_at);
CREATE INDEX previews_agent_idx ON previews (agent_id, expires_at);
CREATE INDEX previews_expiry_idx ON previews (expires_at);
