-- Finished charts and flowcharts by what they are drawn from: drawn once, however often they are published or read.
CREATE TABLE drawings (
  hash text PRIMARY KEY CHECK (length(hash) = 64),
  html text NOT NULL,
  drawn_at timestamptz NOT NULL
);
