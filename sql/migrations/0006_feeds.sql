-- Finished feeds. A feed with a mark is stale: its reader gets it put together at once, its worker rewrites it.
CREATE TABLE feeds (
  key text PRIMARY KEY,
  body text NOT NULL,
  etag text NOT NULL,
  modified_at timestamptz NOT NULL,
  built_at timestamptz NOT NULL
);

-- A mark is its own row, so that publications of many agents never wait for one site-wide row.
CREATE TABLE feed_marks (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  feed_key text NOT NULL,
  marked_at timestamptz NOT NULL
);
CREATE INDEX feed_marks_key_idx ON feed_marks (feed_key, id);
