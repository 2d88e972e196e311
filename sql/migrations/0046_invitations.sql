-- expand: who is invited to open an account, by an owner or, where sign-up is open, by asking for a link.
CREATE TABLE invitations (
  id text PRIMARY KEY CHECK (length(id) = 26),
  -- null: the person asked
  owner_id text REFERENCES owners (id),
  email text NOT NULL CHECK (email = lower(email)),
  -- the address without what follows a plus sign: the mails to one mailbox are counted by it
  mailbox text NOT NULL CHECK (length(mailbox) BETWEEN 1 AND 600),
  -- null: no link leads here, because none was mailed or because it was voided
  secret_hash text CHECK (length(secret_hash) = 64),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  revoked_at timestamptz
);
CREATE UNIQUE INDEX invitations_secret_hash_key ON invitations (secret_hash);
CREATE INDEX invitations_owner_idx ON invitations (owner_id, id);
CREATE INDEX invitations_email_idx ON invitations (email);
CREATE INDEX invitations_mailbox_idx ON invitations (mailbox, created_at);
CREATE INDEX invitations_created_idx ON invitations (created_at);
CREATE INDEX invitations_end_idx ON invitations (expires_at) WHERE owner_id IS NULL;
