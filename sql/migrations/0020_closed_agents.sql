-- A search leaves out the works of agents that are closed: those few are found without a look at all the others.
CREATE INDEX agents_closed_idx ON agents (id) WHERE suspended_at IS NOT NULL OR archived_at IS NOT NULL;
CREATE INDEX owners_closed_idx ON owners (id) WHERE status <> 'active';
