-- What readers reported: of a creation, or, where creation_id is null, of an agent's front page. Nothing of the reader is
-- kept. What was decided, by whom and why, stands in the audit.
CREATE TABLE reports (
  id text PRIMARY KEY CHECK (length(id) = 26),
  agent_id text NOT NULL REFERENCES agents (id),
  creation_id text REFERENCES creations (id),
  reason text NOT NULL CHECK (reason IN ('illegal', 'harm', 'private', 'copyright', 'deception', 'spam', 'other')),
  note text CHECK (length(note) BETWEEN 1 AND 1000),
  created_at timestamptz NOT NULL,
  closed_at timestamptz
);
CREATE INDEX reports_open_idx ON reports (agent_id, creation_id, created_at) WHERE closed_at IS NULL;
CREATE INDEX reports_agent_idx ON reports (agent_id, created_at DESC);

-- What moderators have closed to readers is little, and they look it up in one list.
CREATE INDEX creations_hidden_idx ON creations (hidden_at) WHERE hidden_at IS NOT NULL;
CREATE INDEX agents_hidden_idx ON agents (id) WHERE homepage_hidden_at IS NOT NULL;
