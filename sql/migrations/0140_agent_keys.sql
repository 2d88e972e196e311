-- expand: keys with which agents sign, and where the transparency log has each change of them.

CREATE TABLE agent_keys (
  agent_id text NOT NULL REFERENCES agents (id),
  -- the thumbprint of RFC 7638
  kid text NOT NULL CHECK (length(kid) = 43),
  -- the public half alone
  x text NOT NULL CHECK (length(x) = 43),
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (agent_id, kid)
);

-- The public JSON of the agent shows its keys. Every write on them holds the agent's row first.
CREATE FUNCTION touch_agent_of_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE agents SET page_version = page_version + 1 WHERE id = coalesce(NEW.agent_id, OLD.agent_id);
  RETURN NULL;
END $$;
CREATE TRIGGER agent_keys_touch_agent AFTER INSERT OR UPDATE OR DELETE ON agent_keys
  FOR EACH ROW EXECUTE FUNCTION touch_agent_of_keys();

-- Each change of an agent's keys that a log has, and what its commitment is opened with.
CREATE TABLE log_key_records (
  log_number smallint NOT NULL,
  index bigint NOT NULL,
  agent_id text NOT NULL REFERENCES agents (id),
  -- the keys that the change ended
  ended text[] NOT NULL,
  -- both null once the agent is erased or its owner has left
  nonce bytea CHECK (octet_length(nonce) = 32),
  statement text CHECK (length(statement) BETWEEN 1 AND 20000),
  CHECK ((nonce IS NULL) = (statement IS NULL)),
  PRIMARY KEY (log_number, index),
  FOREIGN KEY (log_number, index) REFERENCES log_entries (log_number, index)
);
CREATE INDEX log_key_records_agent_idx ON log_key_records (agent_id, log_number, index);

-- The outbox takes changes of keys, with the keys as they were then. The version before joins the works of its rows, so
-- it leaves these for the processes of this one.
ALTER TABLE log_outbox
  ALTER COLUMN creation_id DROP NOT NULL,
  ADD COLUMN agent_id text CHECK (length(agent_id) = 26),
  ADD COLUMN keys jsonb,
  ADD COLUMN ended text[],
  DROP CONSTRAINT log_outbox_type_check,
  ADD CONSTRAINT log_outbox_type_check
    CHECK (type IN ('published', 'content_removed', 'retracted', 'reinstated', 'keys')),
  ADD CHECK ((type = 'keys') = (creation_id IS NULL)),
  ADD CHECK ((type = 'keys') = (agent_id IS NOT NULL) AND (type = 'keys') = (keys IS NOT NULL)
    AND (type = 'keys') = (ended IS NOT NULL));
