-- Whose artwork was asked for and is not drawn yet: a bell that is lost is rung again from here.
CREATE TABLE artwork_orders (
  subject_id text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('creation', 'agent')),
  -- How often it was rung again.
  tries integer NOT NULL DEFAULT 0 CHECK (tries >= 0),
  ordered_at timestamptz NOT NULL
);
CREATE INDEX artwork_orders_by_age ON artwork_orders (ordered_at);
