-- The end that the owner gave a token, beside the hour that a rotation leaves it: the token that a rotation issues
-- takes over the first and not the second. A token that was rotated before has its end from the rotation.
ALTER TABLE tokens ADD COLUMN owner_expires_at timestamptz;

UPDATE tokens AS t SET owner_expires_at = t.expires_at
WHERE t.expires_at IS NOT NULL AND t.revoked_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM audit_log a WHERE a.token_id = t.id AND a.action = 'token.rotate');
