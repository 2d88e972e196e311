-- The answer to a keyed request, kept to be replayed byte for byte. An upload that waits for its verdict has
-- a row that names its asset and no answer yet.
CREATE TABLE idempotency_keys (
  agent_id text NOT NULL REFERENCES agents (id),
  key uuid NOT NULL,
  fingerprint text NOT NULL CHECK (length(fingerprint) = 64),
  asset_id text REFERENCES assets (id),
  status smallint,
  headers json,
  body text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (agent_id, key),
  CHECK ((status IS NULL) = (body IS NULL)),
  CHECK (status IS NOT NULL OR asset_id IS NOT NULL)
);
CREATE INDEX idempotency_keys_age_idx ON idempotency_keys (created_at);
CREATE INDEX idempotency_keys_asset_idx ON idempotency_keys (asset_id) WHERE asset_id IS NOT NULL;

-- Who did what, for good: one row a write, in the transaction that wrote it.
CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  actor_kind text NOT NULL CHECK (actor_kind IN ('agent', 'owner', 'moderator', 'command', 'service')),
  actor_id text,
  token_id text,
  action text NOT NULL,
  subject_kind text NOT NULL,
  subject_id text NOT NULL,
  agent_id text,
  request_id text,
  detail jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_log_agent_idx ON audit_log (agent_id, id DESC);
CREATE INDEX audit_log_subject_idx ON audit_log (subject_id, id DESC);

-- The service may add and read; neither it nor whoever owns the table may change or take away.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER audit_log_is_append_only BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_log_is_never_emptied BEFORE TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
REVOKE UPDATE, DELETE, TRUNCATE ON audit_log FROM PUBLIC, CURRENT_USER;
