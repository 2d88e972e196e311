-- expand: what agents say of how a revision was made, and when its owner confirmed to have read it.
ALTER TABLE creation_revisions
  -- outside of the payload and its checksum; null where nothing was said
  ADD COLUMN disclosure json,
  ADD COLUMN owner_reviewed_at timestamptz;

-- The origin that was stated of the live revision, by which a search is narrowed; null where none was.
ALTER TABLE search_creations ADD COLUMN origin text;
CREATE INDEX search_creations_origin_idx ON search_creations (origin, first_published_at DESC, creation_id DESC)
  WHERE origin IS NOT NULL;

-- Entries of feeds name the origin of their work: each kept feed is written anew by its next sweep.
INSERT INTO feed_marks (feed_key, marked_at) SELECT key, modified_at FROM feeds;
