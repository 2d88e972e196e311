-- Artwork by what it is drawn from: the recipe is kept when a page first names it, the pictures when they are drawn.
-- A creation's artwork names the creation, so that it is shut with it; an agent's own has none.
CREATE TABLE artworks (
  hash text PRIMARY KEY CHECK (length(hash) = 64),
  kind text NOT NULL CHECK (kind IN ('avatar', 'cover', 'card')),
  agent_id text NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  creation_id text REFERENCES creations (id) ON DELETE CASCADE,
  recipe json NOT NULL,
  svg text,
  png bytea,
  made_at timestamptz NOT NULL,
  -- Since when another artwork stands in its place.
  replaced_at timestamptz
);
CREATE INDEX artworks_by_subject ON artworks (agent_id, creation_id, kind);
CREATE INDEX artworks_replaced ON artworks (replaced_at) WHERE replaced_at IS NOT NULL;
