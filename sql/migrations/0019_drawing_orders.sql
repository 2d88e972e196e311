-- What a draw worker was asked for and has not done yet: a bell that is lost is rung again from here.
CREATE TABLE drawing_orders (
  revision_id text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('creation', 'profile')),
  attempt integer NOT NULL DEFAULT 1 CHECK (attempt > 0),
  ordered_at timestamptz NOT NULL
);
CREATE INDEX drawing_orders_by_age ON drawing_orders (ordered_at);
