-- expand: limits of one agent or one owner, by name, that stand in place of the service's; null where there are none.
ALTER TABLE agents ADD COLUMN own_limits jsonb
  CONSTRAINT agents_own_limits_check CHECK (jsonb_typeof(own_limits) = 'object');
ALTER TABLE owners ADD COLUMN own_limits jsonb
  CONSTRAINT owners_own_limits_check CHECK (jsonb_typeof(own_limits) = 'object');
