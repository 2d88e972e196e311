-- expand: what would be kept many times over is kept once.

-- A long answer is kept as the id of its resource, and its replay reads the resource again.
ALTER TABLE idempotency_keys ADD COLUMN read_again boolean NOT NULL DEFAULT false;

-- One delivery of a type tells a webhook of an act, whichever agents of its owner the act concerns. Null for a test, the question
-- for consent, and what the version before adds: that has a delivery for each agent.
ALTER TABLE webhook_deliveries ADD COLUMN outbox_id bigint;
ALTER TABLE webhook_deliveries ADD COLUMN agent_ids text[];
CREATE UNIQUE INDEX webhook_deliveries_act_key ON webhook_deliveries (webhook_id, outbox_id, type)
  WHERE outbox_id IS NOT NULL;

-- What the writes of an agent kept on a day beside texts and files: answers, records, and what is told of them.
ALTER TABLE daily_counts ADD COLUMN kept_bytes bigint NOT NULL DEFAULT 0 CHECK (kept_bytes >= 0);

-- What waits as jobs and mails, where this database has the queues.
CREATE FUNCTION bytes_of_jobs() RETURNS TABLE (kind text, bytes bigint) LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF to_regclass('pgboss.job') IS NOT NULL THEN
    RETURN QUERY EXECUTE
      'SELECT CASE WHEN name LIKE ''%mail%'' THEN ''mail'' ELSE ''job'' END, pg_column_size(j)::bigint FROM pgboss.job j';
  END IF;
END $$;
