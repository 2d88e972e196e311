-- expand
-- The API and worker processes that live: each says so every few seconds, and operators see what runs and what is missing.
CREATE TABLE service_processes (
  id text PRIMARY KEY CHECK (length(id) = 26),
  kind text NOT NULL CHECK (kind IN ('api', 'workers')),
  workers text[] NOT NULL,
  host text NOT NULL CHECK (length(host) BETWEEN 1 AND 255),
  pid integer NOT NULL,
  version text NOT NULL CHECK (length(version) BETWEEN 1 AND 40),
  started_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL
);
