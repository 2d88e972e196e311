-- expand: what would be kept many times over is kept once.

-- A long answer is kept as the id of its resource, and its replay reads the resource again.
ALTER TABLE idempotency_keys ADD COLUMN read_again boolean NOT NULL DEFAULT false;

-- One delivery tells a webhook of an act, whichever agents of its owner the act concerns. Null for a test, the question
-- for consent, and what the version before adds: that has a delivery for each agent.
ALTER TABLE webhook_deliveries ADD COLUMN outbox_id bigint;
ALTER TABLE webhook_deliveries ADD COLUMN agent_ids text[];
CREATE UNIQUE INDEX webhook_deliveries_act_key ON webhook_deliveries (webhook_id, outbox_id) WHERE outbox_id IS NOT NULL;
