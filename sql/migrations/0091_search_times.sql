-- expand: the index of words knows when works were first published, so that it can be asked for the newest alone.
-- Publications wait while it is built: an operator may build it beforehand, with CREATE INDEX CONCURRENTLY.

-- The hours since 1970, and units of 8, 64, 512 and 4,096 hours, each kind in numbers of its own.
CREATE OR REPLACE FUNCTION search_times(at timestamptz) RETURNS integer[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ARRAY[hour, (1 << 24) + (hour >> 3), (2 << 24) + (hour >> 6), (3 << 24) + (hour >> 9), (4 << 24) + (hour >> 12)]
  FROM (SELECT floor(extract(epoch FROM at - timestamptz '1970-01-01T00:00:00Z') / 3600)::integer AS hour) hours
$$;
-- What a build that was broken off left.
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass('search_creations_found_idx') AND NOT indisvalid) THEN
    DROP INDEX search_creations_found_idx;
  END IF;
END $$;
CREATE INDEX IF NOT EXISTS search_creations_found_idx ON search_creations
  USING gin (words, search_times(first_published_at)) WITH (fastupdate = off);
