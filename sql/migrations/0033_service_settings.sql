-- What a running service tells the commands of its operators, such as the root of its addresses.
CREATE TABLE service_settings (
  name text PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 40),
  value text NOT NULL CHECK (length(value) BETWEEN 1 AND 2048),
  changed_at timestamptz NOT NULL
);
