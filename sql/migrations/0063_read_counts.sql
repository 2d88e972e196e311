-- expand: how often the works were read, a row for each day and form; nothing of a reader is in it.
CREATE TABLE read_counts (
  creation_id text NOT NULL REFERENCES creations (id),
  -- in UTC
  day date NOT NULL,
  form text NOT NULL CHECK (form IN ('page', 'markdown', 'json', 'rows', 'download')),
  readers bigint NOT NULL CHECK (readers >= 0),
  -- programs that say in their User-Agent that they are robots
  robots bigint NOT NULL CHECK (robots >= 0),
  PRIMARY KEY (creation_id, day, form)
);

-- The batch of counts that each process added last: one whose answer was lost is sent again, and counts once.
CREATE TABLE read_count_writers (
  id text PRIMARY KEY CHECK (length(id) = 26),
  batch integer NOT NULL CHECK (batch >= 1),
  written_at timestamptz NOT NULL
);
