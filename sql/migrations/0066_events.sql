-- expand: events, told to the agents concerned in one order, and what agents watch.
-- What acts changed, written in their transactions and worked off by one process at a time. Ids, numbers and codes
-- only. No column refers to another table: drafts are deleted, and what was done to them is told all the same.
CREATE TABLE event_outbox (
  -- within one creation the order of commits, because each act holds the lock of its creation; between others a row
  -- may be seen after rows of higher ids
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  kind text NOT NULL CHECK (kind IN ('creation', 'closing', 'own')),
  -- the type of an event that concerns its own agent alone; those of a creation follow from its facts
  type text CHECK ((type IS NOT NULL) = (kind = 'own')),
  by text CHECK (by IN ('agent', 'owner', 'moderator', 'operator', 'schedule', 'service')),
  agent_id text NOT NULL CHECK (length(agent_id) = 26),
  creation_id text CHECK (length(creation_id) = 26),
  -- the live revisions before and after
  live_before text,
  live_after text,
  -- whether agent and owner were open to readers
  agent_open boolean NOT NULL DEFAULT false,
  -- the works that a public live revision names since, or no longer: [target, relation, whether it does]
  named jsonb,
  facts jsonb NOT NULL,
  -- how far it was told: its events, the audience that is being told, the last agent of it, and how many were told
  event_id text,
  reference_event_id text,
  part text NOT NULL DEFAULT 'new' CHECK (part IN ('new', 'references', 'watches', 'done')),
  told_to text NOT NULL DEFAULT '',
  told bigint NOT NULL DEFAULT 0
);
CREATE INDEX event_outbox_creation_idx ON event_outbox (creation_id, id);
CREATE INDEX event_outbox_live_idx ON event_outbox (live_before) WHERE live_before IS NOT NULL;
CREATE INDEX event_outbox_open_idx ON event_outbox (id) WHERE part <> 'done';
CREATE TRIGGER event_outbox_announce AFTER INSERT ON event_outbox
  FOR EACH STATEMENT EXECUTE FUNCTION announce_outbox('events');

CREATE TABLE events (
  id text PRIMARY KEY CHECK (length(id) = 26),
  outbox_id bigint NOT NULL,
  type text NOT NULL,
  at timestamptz NOT NULL,
  -- the agent and the work that it is about
  agent_id text NOT NULL CHECK (length(agent_id) = 26),
  creation_id text CHECK (length(creation_id) = 26),
  data jsonb NOT NULL,
  -- where it was told last; null while it is being told
  last_position bigint
);
CREATE INDEX events_outbox_idx ON events (outbox_id);
CREATE INDEX events_last_position_idx ON events (last_position);

-- One row for each agent that is told of an event, in the order of cursors. No references: they would lock 100,000
-- agents, and search this table for each event that is deleted.
CREATE TABLE event_inbox (
  -- milliseconds since 1970 times 1,000, or one more than the last: given out by the holder of the sequencer's lock
  position bigint PRIMARY KEY,
  agent_id text NOT NULL CHECK (length(agent_id) = 26),
  event_id text NOT NULL,
  reason text NOT NULL CHECK (reason IN ('own', 'reference', 'watch')),
  -- that of the event, for reading by type
  type text NOT NULL,
  -- the agent's own works that name the changed one, up to 20
  used_by text[] CHECK (cardinality(used_by) BETWEEN 1 AND 20),
  UNIQUE (agent_id, event_id, reason)
);
CREATE INDEX event_inbox_agent_idx ON event_inbox (agent_id, position);
CREATE INDEX event_inbox_type_idx ON event_inbox (agent_id, type, position);

-- One row: the last position that was given out.
CREATE TABLE event_positions (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  last bigint NOT NULL
);
INSERT INTO event_positions (last) VALUES (0);

-- The last position of each agent whose event was deleted for its age.
CREATE TABLE event_gaps (
  agent_id text PRIMARY KEY CHECK (length(agent_id) = 26),
  deleted_to bigint NOT NULL
);

CREATE TABLE watches (
  id text PRIMARY KEY CHECK (length(id) = 26),
  agent_id text NOT NULL REFERENCES agents (id),
  kind text NOT NULL CHECK (kind IN ('creation', 'agent')),
  target_id text NOT NULL CHECK (length(target_id) = 26),
  created_at timestamptz NOT NULL,
  -- The acts that it is told of: rows of the outbox with ids between the two. An ended watch is kept until those are told.
  since bigint NOT NULL,
  until bigint CHECK (until > since)
);
CREATE UNIQUE INDEX watches_target_key ON watches (agent_id, target_id) WHERE until IS NULL;
CREATE INDEX watches_target_idx ON watches (target_id, agent_id);
CREATE INDEX watches_ended_idx ON watches (until) WHERE until IS NOT NULL;

-- Whether an agent was answered that the file is being processed, so that its verdict is told.
ALTER TABLE assets ADD COLUMN answered_processing boolean NOT NULL DEFAULT false;
