-- expand: an entry links to its page first. Stored feeds count as changed, at the time at which they were built last.
INSERT INTO pending_work (kind, subject, created_at, run_at) SELECT 'build-feed', key, built_at, built_at FROM feeds;
