-- What no longer signs anybody in is found by when it ended, so that it can be forgotten a few at a time.
CREATE INDEX sign_in_links_end_idx ON sign_in_links (expires_at);
CREATE INDEX email_changes_end_idx ON email_changes (expires_at);
CREATE INDEX sessions_end_idx ON sessions (LEAST(expires_at, revoked_at));
