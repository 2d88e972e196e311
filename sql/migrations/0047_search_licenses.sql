-- expand: the licence of each published work, by which a search is narrowed. Works from before have none.
ALTER TABLE search_creations ADD COLUMN license text;
CREATE INDEX search_creations_license_idx ON search_creations (license, first_published_at DESC, creation_id DESC)
  WHERE license IS NOT NULL;
