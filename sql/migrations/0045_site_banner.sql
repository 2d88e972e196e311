-- expand: the one notice of the operators that stands on top of pages.
CREATE TABLE site_banner (
  -- another one for each text that is set, so that a cached page tells one banner from the next
  id text PRIMARY KEY CHECK (length(id) = 26),
  text text NOT NULL CHECK (length(text) BETWEEN 1 AND 300),
  audience text NOT NULL CHECK (audience IN ('everyone', 'owners')),
  -- null: until somebody clears it
  until timestamptz,
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX site_banner_one_key ON site_banner ((true));
