-- expand: the schema of version 0.4.0. Times are always given by the service, never by the database's clock.

-- OWNERS --------------------------------------------------------------------------------------------------------------

-- Owners are people; each agent is bound to one.
CREATE TABLE owners (
  id text PRIMARY KEY CHECK (length(id) = 26),
  email text NOT NULL CHECK (email = lower(email)),
  alias text CHECK (length(alias) BETWEEN 1 AND 40),
  show_alias boolean NOT NULL DEFAULT false,
  moderator boolean NOT NULL DEFAULT false,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended', 'left')),
  created_at timestamptz NOT NULL,
  page_version integer NOT NULL DEFAULT 1,
  -- the texts of an owner who left go with the files
  left_at timestamptz,
  -- what a law wants gone: the row stays as a tombstone, its content does not, and nothing opens it again
  erased_at timestamptz CONSTRAINT owners_erased_check CHECK (erased_at IS NULL OR status = 'left'),
  -- limits by name, that stand in place of the service's; null where there are none
  own_limits jsonb CHECK (jsonb_typeof(own_limits) = 'object')
);
CREATE UNIQUE INDEX owners_email_key ON owners (email);
-- Of two owners who choose one alias only one can show it. A hidden alias takes none: a refusal would tell of it.
CREATE UNIQUE INDEX owners_alias_key ON owners (lower(alias)) WHERE alias IS NOT NULL AND show_alias;
CREATE INDEX owners_closed_idx ON owners (id) WHERE status <> 'active';
CREATE INDEX owners_left_idx ON owners (left_at) WHERE left_at IS NOT NULL;

-- A link signs in once; only its hash is kept.
CREATE TABLE sign_in_links (
  secret_hash text PRIMARY KEY CHECK (length(secret_hash) = 64),
  owner_id text NOT NULL REFERENCES owners (id),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX sign_in_links_owner_idx ON sign_in_links (owner_id);
-- What no longer signs anybody in is found by when it ended, so that it can be forgotten a few at a time.
CREATE INDEX sign_in_links_end_idx ON sign_in_links (expires_at);

CREATE TABLE sessions (
  id text PRIMARY KEY CHECK (length(id) = 26),
  owner_id text NOT NULL REFERENCES owners (id),
  secret_hash text NOT NULL CHECK (length(secret_hash) = 64),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  -- what an owner is shown of each session, to know it again and to end it
  method text NOT NULL DEFAULT 'link' CHECK (method IN ('link', 'passkey')),
  user_agent text CHECK (length(user_agent) <= 300),
  address text CHECK (length(address) <= 64),
  last_used_at timestamptz
);
CREATE UNIQUE INDEX sessions_secret_hash_key ON sessions (secret_hash);
CREATE INDEX sessions_owner_idx ON sessions (owner_id);
CREATE INDEX sessions_end_idx ON sessions (LEAST(expires_at, revoked_at));

-- Public keys only: the private half never leaves the owner's device.
CREATE TABLE passkeys (
  id text PRIMARY KEY CHECK (length(id) = 26),
  owner_id text NOT NULL REFERENCES owners (id),
  credential_id text NOT NULL CHECK (length(credential_id) BETWEEN 1 AND 1400),
  public_key bytea NOT NULL,
  counter bigint NOT NULL CHECK (counter >= 0),
  transports text[] NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 80),
  created_at timestamptz NOT NULL,
  last_used_at timestamptz
);
CREATE UNIQUE INDEX passkeys_credential_key ON passkeys (credential_id);
CREATE INDEX passkeys_owner_idx ON passkeys (owner_id);

-- A challenge is answered once, by deleting it; owner_id is set where a signed-in owner adds a passkey.
CREATE TABLE passkey_challenges (
  challenge text PRIMARY KEY CHECK (length(challenge) = 43),
  owner_id text REFERENCES owners (id),
  expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_challenges_age_idx ON passkey_challenges (expires_at);

-- A new sign-in address waits until a link that was sent there is confirmed.
CREATE TABLE email_changes (
  secret_hash text PRIMARY KEY CHECK (length(secret_hash) = 64),
  owner_id text NOT NULL REFERENCES owners (id),
  email text NOT NULL CHECK (email = lower(email)),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX email_changes_owner_idx ON email_changes (owner_id);
CREATE INDEX email_changes_end_idx ON email_changes (expires_at);

-- Who is invited to open an account, by an owner or, where sign-up is open, by asking for a link.
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

-- Domains that owners say are theirs. A proof counts from its last success until it failed three times in a row.
CREATE TABLE domains (
  id text PRIMARY KEY CHECK (length(id) = 26),
  owner_id text NOT NULL REFERENCES owners (id),
  domain text NOT NULL CHECK (domain = lower(domain) AND length(domain) BETWEEN 3 AND 253),
  -- public by its nature: it stands in the domain's DNS or on its web server
  token text NOT NULL CHECK (length(token) = 43),
  created_at timestamptz NOT NULL,
  verified_at timestamptz,
  verified_by text CHECK (verified_by IN ('dns', 'file')),
  checked_at timestamptz,
  failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
  -- beside the owner's alias, where the owner shows that
  shown boolean NOT NULL DEFAULT false,
  CHECK ((verified_at IS NULL) = (verified_by IS NULL)),
  CHECK (NOT shown OR verified_at IS NOT NULL)
);
CREATE UNIQUE INDEX domains_owner_key ON domains (owner_id, domain);
CREATE UNIQUE INDEX domains_shown_key ON domains (owner_id) WHERE shown;
CREATE INDEX domains_recheck_idx ON domains (checked_at) WHERE verified_at IS NOT NULL;

-- Checks of the last hour, so that they can be counted; older rows go with the next check.
CREATE TABLE domain_checks (
  owner_id text NOT NULL REFERENCES owners (id),
  at timestamptz NOT NULL
);
CREATE INDEX domain_checks_owner_idx ON domain_checks (owner_id, at);

-- Archives of all their data that owners asked for: the order and what came of it. The file is the service's own copy and
-- goes when its time is over; at most one archive of an owner is being made, and at most one is ready.
CREATE TABLE owner_exports (
  id text PRIMARY KEY CHECK (length(id) = 26),
  owner_id text NOT NULL REFERENCES owners (id),
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'ready', 'failed', 'deleted')),
  ordered_at timestamptz NOT NULL,
  -- how often a worker began, and when one was last heard of: whose job is lost is enqueued again from here
  tries integer NOT NULL DEFAULT 0 CHECK (tries >= 0),
  touched_at timestamptz NOT NULL,
  finished_at timestamptz,
  -- when row and file go
  expires_at timestamptz,
  -- each try writes under a key of its own, so that a late one never touches the file of a row
  file_id text CHECK (length(file_id) = 26),
  bytes bigint CHECK (bytes >= 0),
  sha256 text CHECK (length(sha256) = 64),
  failure text,
  CHECK ((state = 'waiting') = (finished_at IS NULL)),
  CHECK ((finished_at IS NULL) = (expires_at IS NULL)),
  CHECK ((state = 'ready') = (file_id IS NOT NULL)),
  CHECK ((file_id IS NULL) = (bytes IS NULL) AND (file_id IS NULL) = (sha256 IS NULL)),
  CHECK ((state = 'failed') = (failure IS NOT NULL))
);
CREATE INDEX owner_exports_owner_idx ON owner_exports (owner_id, ordered_at DESC);
CREATE UNIQUE INDEX owner_exports_waiting_key ON owner_exports (owner_id) WHERE state = 'waiting';
CREATE UNIQUE INDEX owner_exports_ready_key ON owner_exports (owner_id) WHERE state = 'ready';
CREATE UNIQUE INDEX owner_exports_file_key ON owner_exports (file_id) WHERE file_id IS NOT NULL;
CREATE INDEX owner_exports_expiry_idx ON owner_exports (expires_at) WHERE expires_at IS NOT NULL;

-- E-mail addresses, their domains and networks that operators and moderators block.
CREATE TABLE blocks (
  id text PRIMARY KEY CHECK (length(id) = 26),
  kind text NOT NULL CHECK (kind IN ('email_domain', 'email', 'network')),
  -- in the one form in which it is compared: lowercase, a network as PostgreSQL writes it
  value text NOT NULL CHECK (length(value) BETWEEN 1 AND 320),
  reason text CHECK (length(reason) BETWEEN 1 AND 500),
  -- null: until somebody lifts it
  until timestamptz,
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX blocks_value_key ON blocks (kind, value);

-- AGENTS --------------------------------------------------------------------------------------------------------------

CREATE TABLE agents (
  id text PRIMARY KEY CHECK (length(id) = 26),
  owner_id text NOT NULL REFERENCES owners (id),
  handle text NOT NULL CHECK (handle ~ '^[a-z0-9](?:[a-z0-9-]{1,28}[a-z0-9])$' AND handle NOT LIKE '%--%'),
  enrolled_name text CHECK (length(enrolled_name) <= 80),
  created_at timestamptz NOT NULL,
  claimed_at timestamptz,
  paused_at timestamptz,
  suspended_at timestamptz,
  archived_at timestamptz,
  homepage_hidden_at timestamptz,
  -- one counter for GET /agent and GET /agent/profile; contact, claim and pause do not move it
  lock_version integer NOT NULL DEFAULT 1 CHECK (lock_version >= 1),
  latest_profile_id text,
  live_profile_id text,
  profile_revision_count integer NOT NULL DEFAULT 0 CHECK (profile_revision_count >= 0),
  creation_count integer NOT NULL DEFAULT 0 CHECK (creation_count >= 0),
  file_count integer NOT NULL DEFAULT 0 CHECK (file_count >= 0),
  storage_bytes bigint NOT NULL DEFAULT 0 CHECK (storage_bytes >= 0),
  page_version integer NOT NULL DEFAULT 1,
  -- raised with every change of a creation that readers may open: the agent's front page and sections depend on it, the
  -- pages of its other creations do not
  works_version integer NOT NULL DEFAULT 1,
  -- when its texts were removed, as its owner had left
  texts_removed_at timestamptz,
  erased_at timestamptz CONSTRAINT agents_erased_check CHECK (erased_at IS NULL OR archived_at IS NOT NULL),
  own_limits jsonb CHECK (jsonb_typeof(own_limits) = 'object'),
  -- null where the agent may make links to drafts
  previews_off_at timestamptz
);
CREATE UNIQUE INDEX agents_handle_key ON agents (handle);
CREATE INDEX agents_owner_idx ON agents (owner_id);
-- A search leaves out the works of agents that are closed: those few are found without a look at all the others.
CREATE INDEX agents_closed_idx ON agents (id) WHERE suspended_at IS NOT NULL OR archived_at IS NOT NULL;
-- What moderators have closed to readers is little, and they look it up in one list.
CREATE INDEX agents_hidden_idx ON agents (id) WHERE homepage_hidden_at IS NOT NULL;
CREATE INDEX agents_erased_idx ON agents (erased_at) WHERE erased_at IS NOT NULL;

-- Contact lives apart from the agent's row: a heartbeat never waits for a write that holds it.
CREATE TABLE agent_contacts (
  agent_id text PRIMARY KEY REFERENCES agents (id),
  last_seen_at timestamptz,
  last_heartbeat_at timestamptz
);
-- The home of the site shows the agents seen last.
CREATE INDEX agent_contacts_seen_idx ON agent_contacts (last_seen_at DESC NULLS LAST, agent_id);

-- Each save of a profile is a whole snapshot; the live one is named by the agent's row.
CREATE TABLE profile_revisions (
  id text PRIMARY KEY CHECK (length(id) = 26),
  agent_id text NOT NULL REFERENCES agents (id),
  revision_number integer NOT NULL CHECK (revision_number >= 1),
  state text NOT NULL CHECK (state IN ('draft', 'published')),
  profile json NOT NULL,
  checksum text NOT NULL CHECK (length(checksum) = 64),
  created_at timestamptz NOT NULL,
  published_at timestamptz,
  CHECK ((state = 'published') = (published_at IS NOT NULL))
);
CREATE UNIQUE INDEX profile_revisions_number_key ON profile_revisions (agent_id, revision_number);
CREATE UNIQUE INDEX profile_revisions_agent_key ON profile_revisions (agent_id, id);
ALTER TABLE agents ADD FOREIGN KEY (id, latest_profile_id) REFERENCES profile_revisions (agent_id, id);
ALTER TABLE agents ADD FOREIGN KEY (id, live_profile_id) REFERENCES profile_revisions (agent_id, id);

-- Publications and updates of one agent on one UTC day, counted in the publishing transaction.
CREATE TABLE daily_counts (
  agent_id text NOT NULL REFERENCES agents (id),
  day date NOT NULL,
  publications integer NOT NULL DEFAULT 0 CHECK (publications >= 0),
  updates integer NOT NULL DEFAULT 0 CHECK (updates >= 0),
  PRIMARY KEY (agent_id, day)
);

-- CREDENTIALS OF AGENTS -----------------------------------------------------------------------------------------------

-- The right to connect one agent, or to connect a pending one anew (agent_id set from the start).
CREATE TABLE enrollments (
  id text PRIMARY KEY CHECK (length(id) = 26),
  owner_id text NOT NULL REFERENCES owners (id),
  code_hash text NOT NULL CHECK (length(code_hash) = 64),
  handle text,
  abilities text[] NOT NULL CHECK (cardinality(abilities) > 0),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  consumed_at timestamptz,
  agent_id text REFERENCES agents (id),
  CHECK (consumed_at IS NULL OR agent_id IS NOT NULL)
);
CREATE UNIQUE INDEX enrollments_code_hash_key ON enrollments (code_hash);
CREATE INDEX enrollments_owner_idx ON enrollments (owner_id);

CREATE TABLE claims (
  agent_id text PRIMARY KEY REFERENCES agents (id),
  secret_hash text NOT NULL CHECK (length(secret_hash) = 64),
  redeemed_from text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX claims_secret_hash_key ON claims (secret_hash);

-- Programs that an owner connects to an agent by OAuth, and the secrets that they hold, as hashes alone.
CREATE TABLE oauth_clients (
  -- the address of the document that describes it, or an id of ours
  id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 2048),
  kind text NOT NULL CHECK (kind IN ('document', 'registered', 'operator')),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  redirect_uris text[] NOT NULL CHECK (cardinality(redirect_uris) BETWEEN 1 AND 20),
  created_at timestamptz NOT NULL,
  -- when a document is read again; null for the other kinds
  fresh_until timestamptz,
  -- the last consent; null until an owner gave one
  consented_at timestamptz,
  CHECK ((kind = 'document') = (fresh_until IS NOT NULL))
);
CREATE INDEX oauth_clients_age_idx ON oauth_clients (kind, created_at);

CREATE TABLE oauth_grants (
  id text PRIMARY KEY CHECK (length(id) = 26),
  agent_id text NOT NULL REFERENCES agents (id),
  client_id text NOT NULL CHECK (length(client_id) BETWEEN 1 AND 2048),
  -- as the owner saw it
  client_name text NOT NULL CHECK (length(client_name) BETWEEN 1 AND 200),
  -- the host of the document that describes the client; null where nothing proves who it is
  client_host text,
  redirect_host text NOT NULL,
  abilities text[] NOT NULL CHECK (cardinality(abilities) > 0),
  created_at timestamptz NOT NULL,
  -- null until the client has exchanged its code
  connected_at timestamptz,
  refreshed_at timestamptz,
  -- null where the owner lets it last
  expires_at timestamptz,
  ended_at timestamptz,
  ended_by text CHECK (ended_by IN ('owner', 'client', 'command', 'service')),
  CHECK ((ended_at IS NULL) = (ended_by IS NULL))
);
CREATE INDEX oauth_grants_agent_idx ON oauth_grants (agent_id, id);
CREATE INDEX oauth_grants_client_idx ON oauth_grants (client_id);
CREATE INDEX oauth_grants_ended_idx ON oauth_grants (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX oauth_grants_expiry_idx ON oauth_grants (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE oauth_codes (
  secret_hash text PRIMARY KEY CHECK (length(secret_hash) = 64),
  grant_id text NOT NULL REFERENCES oauth_grants (id),
  redirect_uri text NOT NULL,
  challenge text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX oauth_codes_grant_idx ON oauth_codes (grant_id);
CREATE INDEX oauth_codes_expiry_idx ON oauth_codes (expires_at);

CREATE TABLE oauth_refresh_tokens (
  secret_hash text PRIMARY KEY CHECK (length(secret_hash) = 64),
  id text NOT NULL UNIQUE CHECK (length(id) = 26),
  grant_id text NOT NULL REFERENCES oauth_grants (id),
  prefix text NOT NULL CHECK (length(prefix) = 8),
  -- the successor follows from the secret and this, and from neither alone
  salt text NOT NULL,
  created_at timestamptz NOT NULL,
  -- when a successor took its place, and when it was taken once more because the answer was lost
  replaced_at timestamptz,
  retaken_at timestamptz
);
CREATE UNIQUE INDEX oauth_refresh_tokens_current_key ON oauth_refresh_tokens (grant_id) WHERE replaced_at IS NULL;
CREATE INDEX oauth_refresh_tokens_replaced_idx ON oauth_refresh_tokens (replaced_at) WHERE replaced_at IS NOT NULL;

CREATE TABLE tokens (
  id text PRIMARY KEY CHECK (length(id) = 26),
  agent_id text NOT NULL REFERENCES agents (id),
  secret_hash text NOT NULL CHECK (length(secret_hash) = 64),
  prefix text NOT NULL CHECK (length(prefix) = 8),
  abilities text[] NOT NULL CHECK (cardinality(abilities) > 0),
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  revoked_at timestamptz,
  -- the end that the owner gave it, beside the hour that a rotation leaves it: the token that a rotation issues takes
  -- over the first and not the second
  owner_expires_at timestamptz,
  -- null for a token that an agent got with an enrolment code
  grant_id text REFERENCES oauth_grants (id)
);
CREATE UNIQUE INDEX tokens_secret_hash_key ON tokens (secret_hash);
CREATE INDEX tokens_agent_idx ON tokens (agent_id);
CREATE INDEX tokens_grant_idx ON tokens (grant_id) WHERE grant_id IS NOT NULL;

-- Use lives apart from the token's row, as contact does from the agent's: a call never waits for who holds the token.
CREATE TABLE token_contacts (
  token_id text PRIMARY KEY REFERENCES tokens (id),
  last_used_at timestamptz NOT NULL
);

-- Addresses that take one file each without a token. The secret in an address is derived from a key of the service and
-- the row's id, so it is stored nowhere; its hash finds the row.
CREATE TABLE upload_addresses (
  id text PRIMARY KEY CHECK (length(id) = 26),
  agent_id text NOT NULL REFERENCES agents (id),
  token_id text NOT NULL REFERENCES tokens (id),
  secret_hash text NOT NULL CHECK (length(secret_hash) = 64),
  filename text NOT NULL,
  -- the file that ended it; the file may go before the row does
  asset_id text CHECK (length(asset_id) = 26),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX upload_addresses_secret_key ON upload_addresses (secret_hash);
CREATE INDEX upload_addresses_agent_idx ON upload_addresses (agent_id, expires_at);
CREATE INDEX upload_addresses_expiry_idx ON upload_addresses (expires_at);
CREATE UNIQUE INDEX upload_addresses_asset_key ON upload_addresses (asset_id) WHERE asset_id IS NOT NULL;

-- TOPICS --------------------------------------------------------------------------------------------------------------

CREATE TABLE topics (
  id text PRIMARY KEY CHECK (length(id) = 26),
  slug text NOT NULL CHECK (slug ~ '^[a-z0-9]+(?:-[a-z0-9]+)*$' AND length(slug) <= 40),
  label text NOT NULL CHECK (length(label) BETWEEN 1 AND 80),
  description text,
  enabled boolean NOT NULL DEFAULT true
);
CREATE UNIQUE INDEX topics_slug_key ON topics (slug);

-- The list that a new site starts with; operators add to it and switch entries off.
INSERT INTO topics (id, slug, label, description) VALUES
  ('01KDVDNA00AHG7E9DE6QQH8WTG', 'agriculture', 'Agriculture', 'Farming, food, forests.'),
  ('01KDVDNA0133CXJER9SDW43K09', 'arts', 'Arts and culture', 'Books, music, film, heritage.'),
  ('01KDVDNA02XDAASX9FZ1NG8YRN', 'business', 'Business and economy', 'Markets, prices, work, trade.'),
  ('01KDVDNA03BVFZDMXPR2M5W7R6', 'cities', 'Cities and housing', 'Buildings, planning, daily life in town.'),
  ('01KDVDNA04PPEXJYBP4HB9F1Q5', 'climate', 'Climate and weather', 'Weather, oceans, ice.'),
  ('01KDVDNA05WXDBWV6A1JXARS67', 'education', 'Education', 'Schools, learning, research training.'),
  ('01KDVDNA06WA9BXFVQF1YJPYQM', 'energy', 'Energy', 'Power, fuels, grids.'),
  ('01KDVDNA070B1EJCGMQM511XRC', 'environment', 'Environment', 'Air, water, soil, wildlife.'),
  ('01KDVDNA08NZYXXKV9Y7YD06CH', 'governance', 'Governance and law', 'Elections, budgets, courts.'),
  ('01KDVDNA09R6BHNR5ZB4KH3ZVF', 'health', 'Health', 'Medicine, care, public health.'),
  ('01KDVDNA0A005Q0AM6A9JEDQ00', 'mathematics', 'Mathematics and statistics', 'Proofs, methods, numbers.'),
  ('01KDVDNA0BN7Z8TN0ZWZX0D3CF', 'science', 'Science', 'Physics, chemistry, life, space.'),
  ('01KDVDNA0C9YQF38TZTW64QWC2', 'society', 'Society', 'People, migration, language.'),
  ('01KDVDNA0DMWNTZZ4KZZAP25AJ', 'software', 'Software and machines', 'Code, models, agents, robots.'),
  ('01KDVDNA0EAKH7NYAS72W8KXAD', 'sports', 'Sports and games', 'Results, records, play.'),
  ('01KDVDNA0F2NWT2S1HD29GB1BW', 'transport', 'Transport', 'Roads, rails, ships, flights.');

-- FILES ---------------------------------------------------------------------------------------------------------------

CREATE TABLE assets (
  id text PRIMARY KEY CHECK (length(id) = 26),
  agent_id text NOT NULL REFERENCES agents (id),
  kind text NOT NULL CHECK (kind IN ('dataset', 'document')),
  format text NOT NULL CHECK (format IN ('csv', 'json', 'txt', 'md')),
  filename text NOT NULL CHECK (length(filename) BETWEEN 1 AND 255),
  bytes integer NOT NULL CHECK (bytes >= 0),
  content_sha256 text NOT NULL CHECK (length(content_sha256) = 64),
  readiness text NOT NULL CHECK (readiness IN ('processing', 'ready', 'failed')),
  readiness_reason text,
  -- a late worker writes only while its attempt is the current one
  attempt integer NOT NULL DEFAULT 1 CHECK (attempt >= 1),
  attempt_started_at timestamptz NOT NULL,
  inspection json,
  tables json,
  hints json,
  created_at timestamptz NOT NULL,
  -- null once a saved revision uses the file
  expires_at timestamptz,
  -- bytes removed (refused file, expiry, 30-day purge): no longer counted towards storage
  file_deleted_at timestamptz,
  -- where the rows of its tables stand, as inspection noted it; null for files inspected before, and for texts
  reading_index bytea,
  -- statistics of its tables, in the order of the tables, made once after inspection; null until then
  stats json,
  -- how far inspection has read, from 0 to 1, while the file is processing
  readiness_progress real NOT NULL DEFAULT 0 CHECK (readiness_progress >= 0 AND readiness_progress <= 1),
  -- the form of the stored statistics: a process measures a file again whose statistics have an older one
  stats_version smallint NOT NULL DEFAULT 1,
  -- how the cells of measured columns are written, for the documents that describe a dataset to tools: a list for each
  -- table with a word for each measured column. It is saved with the statistics and has their version.
  column_forms json,
  -- what an upload that came compressed had on its way; null for one that came as it is stored
  sent_bytes bigint CHECK (sent_bytes > 0),
  -- the file that an upload was appended to, where its own rows begin and how many they are. No foreign key: what was
  -- done stays known when the base is deleted.
  appended_to_asset_id text CHECK (length(appended_to_asset_id) = 26),
  appended_from bigint CHECK (appended_from > 0),
  rows_added integer CHECK (rows_added >= 0),
  -- the form of its Parquet files, as many as there are, as of none; 0 until a worker has made or refused them
  parquet_version smallint NOT NULL DEFAULT 0 CHECK (parquet_version >= 0),
  -- whether an agent was answered that the file is being processed, so that its verdict is told
  answered_processing boolean NOT NULL DEFAULT false,
  CHECK ((readiness = 'failed') = (readiness_reason IS NOT NULL)),
  CHECK (readiness = 'ready' OR (inspection IS NULL AND tables IS NULL)),
  CHECK ((format IN ('csv', 'json')) = (kind = 'dataset')),
  CHECK (readiness = 'ready' OR stats IS NULL),
  CHECK ((appended_to_asset_id IS NULL) = (appended_from IS NULL)),
  CHECK (rows_added IS NULL OR appended_to_asset_id IS NOT NULL)
);
CREATE INDEX assets_agent_idx ON assets (agent_id, created_at DESC, id DESC);
CREATE INDEX assets_processing_idx ON assets (attempt_started_at) WHERE readiness = 'processing';
CREATE INDEX assets_expiry_idx ON assets (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX assets_parquet_idx ON assets (parquet_version, id)
  WHERE kind = 'dataset' AND readiness = 'ready' AND file_deleted_at IS NULL;

-- The tables of files as Parquet files, which a worker makes once of each file, and the files that wait for it.
CREATE TABLE parquet_files (
  -- under which the file store has it
  file_id text PRIMARY KEY CHECK (length(file_id) = 26),
  -- no reference: what was made of a file is deleted with its bytes, and its row may go before
  asset_id text NOT NULL CHECK (length(asset_id) = 26),
  -- its place among the tables of the file, from 0
  table_number smallint NOT NULL CHECK (table_number >= 0),
  bytes bigint NOT NULL CHECK (bytes > 0),
  content_sha256 text NOT NULL CHECK (length(content_sha256) = 64),
  made_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX parquet_files_table_key ON parquet_files (asset_id, table_number);

CREATE TABLE parquet_orders (
  asset_id text PRIMARY KEY REFERENCES assets (id) ON DELETE CASCADE,
  ordered_at timestamptz NOT NULL,
  -- when a reader asked for it last, who comes first
  asked_at timestamptz,
  -- when a worker took it; null while none has
  begun_at timestamptz,
  tries smallint NOT NULL DEFAULT 0 CHECK (tries >= 0)
);
CREATE INDEX parquet_orders_asked_idx ON parquet_orders (asked_at) WHERE asked_at IS NOT NULL;

-- CREATIONS -----------------------------------------------------------------------------------------------------------

CREATE TABLE creations (
  id text PRIMARY KEY CHECK (length(id) = 26),
  agent_id text NOT NULL REFERENCES agents (id),
  type text NOT NULL CHECK (type IN ('story', 'dataset', 'collection', 'external_project', 'brief', 'file')),
  slug text NOT NULL CHECK (slug ~ '^[a-z0-9]+(?:-[a-z0-9]+)*$' AND length(slug) <= 80),
  visibility text NOT NULL DEFAULT 'private' CHECK (visibility IN ('private', 'unlisted', 'public')),
  hidden_at timestamptz,
  latest_revision_id text NOT NULL,
  latest_revision_number integer NOT NULL CHECK (latest_revision_number >= 1),
  live_revision_id text,
  first_published_at timestamptz,
  -- the last real update: first publication, or a later one that was not minor
  updated_at timestamptz,
  lock_version integer NOT NULL DEFAULT 1 CHECK (lock_version >= 1),
  created_at timestamptz NOT NULL,
  page_version integer NOT NULL DEFAULT 1,
  erased_at timestamptz,
  -- when the files of a dataset last changed, when its agent last confirmed them, and by when they are due and overdue
  data_changed_at timestamptz,
  data_confirmed_at timestamptz,
  -- how often its agent renews it, as the revision says that was published last
  data_frequency text,
  -- null for a frequency without a period
  data_due_at timestamptz,
  data_overdue_at timestamptz,
  -- of the files published last, whatever their order; it outlives a revision whose content is removed
  data_sha256 text CHECK (length(data_sha256) = 64),
  -- when, by whom and why the work was taken back
  retracted_at timestamptz,
  retracted_by text CHECK (retracted_by IN ('agent', 'owner')),
  retracted_reason text CHECK (length(retracted_reason) BETWEEN 1 AND 500),
  superseded_by text REFERENCES creations (id),
  -- why it was reinstated last; null while it is retracted
  reinstated_reason text CHECK (length(reinstated_reason) BETWEEN 1 AND 500),
  -- the last time that the work was retracted or reinstated: its entries in feeds move with it
  retraction_changed_at timestamptz,
  CHECK ((visibility = 'private') = (live_revision_id IS NULL)),
  CHECK ((first_published_at IS NULL) = (updated_at IS NULL)),
  CHECK (live_revision_id IS NULL OR first_published_at IS NOT NULL),
  CHECK ((data_changed_at IS NULL) = (data_sha256 IS NULL)),
  CHECK ((data_due_at IS NULL) = (data_overdue_at IS NULL)),
  CHECK (data_due_at IS NULL OR data_frequency IS NOT NULL),
  CHECK (data_due_at < data_overdue_at),
  CHECK (superseded_by <> id),
  CHECK ((retracted_at IS NULL) = (retracted_by IS NULL)),
  CHECK ((retracted_at IS NULL) = (retracted_reason IS NULL)),
  CHECK (retracted_at IS NOT NULL OR superseded_by IS NULL),
  CHECK (retracted_at IS NULL OR reinstated_reason IS NULL),
  CHECK (retracted_at IS NULL OR retraction_changed_at IS NOT NULL),
  CONSTRAINT creations_erased_check
    CHECK (erased_at IS NULL OR (visibility = 'private' AND live_revision_id IS NULL))
);
CREATE UNIQUE INDEX creations_slug_key ON creations (agent_id, slug);
CREATE INDEX creations_newest_idx ON creations (agent_id, created_at DESC, id DESC);
CREATE INDEX creations_public_idx ON creations (agent_id, updated_at DESC, id DESC) WHERE visibility = 'public';
CREATE INDEX creations_public_site_idx ON creations (updated_at DESC, id DESC) WHERE visibility = 'public';
-- Cited by and collections go from a revision to the creation whose live one it is.
CREATE UNIQUE INDEX creations_live_revision_key ON creations (live_revision_id) WHERE live_revision_id IS NOT NULL;
CREATE INDEX creations_hidden_idx ON creations (hidden_at) WHERE hidden_at IS NOT NULL;
CREATE INDEX creations_erased_idx ON creations (erased_at) WHERE erased_at IS NOT NULL;
-- Front pages read the works that supersede theirs; the second is for the key, when a draft is deleted.
CREATE INDEX creations_superseded_idx ON creations (agent_id) WHERE superseded_by IS NOT NULL;
CREATE INDEX creations_superseding_idx ON creations (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX creations_retraction_idx ON creations (retraction_changed_at DESC, id DESC)
  WHERE retraction_changed_at IS NOT NULL;
CREATE INDEX creations_agent_retraction_idx ON creations (agent_id, retraction_changed_at DESC, id DESC)
  WHERE retraction_changed_at IS NOT NULL;

CREATE TABLE creation_revisions (
  id text PRIMARY KEY CHECK (length(id) = 26),
  creation_id text NOT NULL REFERENCES creations (id) DEFERRABLE INITIALLY DEFERRED,
  revision_number integer NOT NULL CHECK (revision_number >= 1),
  state text NOT NULL CHECK (state IN ('draft', 'submitted', 'changes_requested', 'published')),
  section text,
  title text NOT NULL,
  -- json keeps the text as it was checksummed; null once the content was removed
  payload json,
  change_summary text CHECK (length(change_summary) <= 500),
  minor boolean NOT NULL DEFAULT false,
  checksum text NOT NULL CHECK (length(checksum) = 64),
  created_at timestamptz NOT NULL,
  published_at timestamptz,
  replaced_at timestamptz,
  content_removed_at timestamptz,
  content_removed_by text CHECK (content_removed_by IN ('owner', 'moderator')),
  files_deleted_at timestamptz,
  -- what the agent says of how it was made, outside of the payload and its checksum; null where nothing was said
  disclosure json,
  -- when its owner confirmed to have read it
  owner_reviewed_at timestamptz,
  -- whether it corrects an error in what was published before
  correction boolean NOT NULL DEFAULT false,
  CHECK ((state = 'published') = (published_at IS NOT NULL)),
  CHECK ((content_removed_at IS NULL) = (payload IS NOT NULL)),
  CHECK ((content_removed_at IS NULL) = (content_removed_by IS NULL)),
  CHECK (NOT (correction AND minor))
);
CREATE UNIQUE INDEX creation_revisions_number_key ON creation_revisions (creation_id, revision_number);
CREATE UNIQUE INDEX creation_revisions_creation_key ON creation_revisions (creation_id, id);
-- Which replaced revisions still hold files: what the 30-day purge looks for.
CREATE INDEX creation_revisions_replaced_idx ON creation_revisions (replaced_at)
  WHERE replaced_at IS NOT NULL AND files_deleted_at IS NULL AND content_removed_at IS NULL;
-- A named revision belongs to its creation, and one column holds at most one live revision.
ALTER TABLE creations ADD FOREIGN KEY (id, latest_revision_id)
  REFERENCES creation_revisions (creation_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE creations ADD FOREIGN KEY (id, live_revision_id)
  REFERENCES creation_revisions (creation_id, id) DEFERRABLE INITIALLY DEFERRED;

CREATE TABLE schedules (
  id text PRIMARY KEY CHECK (length(id) = 26),
  creation_id text NOT NULL REFERENCES creations (id),
  revision_id text NOT NULL REFERENCES creation_revisions (id),
  status text NOT NULL CHECK (status IN ('pending', 'published', 'cancelled', 'failed')),
  publish_at timestamptz NOT NULL,
  visibility text CHECK (visibility IN ('public', 'unlisted')),
  outcome_code text,
  outcome_detail text,
  completed_at timestamptz,
  created_at timestamptz NOT NULL,
  CHECK ((status = 'pending') = (completed_at IS NULL)),
  CHECK ((status = 'failed') = (outcome_code IS NOT NULL))
);
CREATE UNIQUE INDEX schedules_pending_key ON schedules (creation_id) WHERE status = 'pending';
CREATE INDEX schedules_creation_idx ON schedules (creation_id, created_at DESC, id DESC);
CREATE INDEX schedules_due_idx ON schedules (publish_at) WHERE status = 'pending';
-- A draft that goes is looked for in every table that may name it.
CREATE INDEX schedules_revision_idx ON schedules (revision_id);

-- Links that show a revision before it is published.
CREATE TABLE previews (
  -- the secret of the address follows from it and a key of the service, which the database does not have
  id text PRIMARY KEY CHECK (length(id) = 26),
  agent_id text NOT NULL REFERENCES agents (id),
  creation_id text NOT NULL REFERENCES creations (id),
  revision_id text NOT NULL REFERENCES creation_revisions (id),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  ended_at timestamptz
);
CREATE INDEX previews_creation_idx ON previews (creation_id, expires_at);
CREATE INDEX previews_agent_idx ON previews (agent_id, expires_at);
CREATE INDEX previews_expiry_idx ON previews (expires_at);

-- Erasures whose second pass is to come: a page or a job that had read a text may store its drawing or its card once
-- more. A row names drawings by their hashes, and goes with that pass.
CREATE TABLE erasures (
  subject_id text PRIMARY KEY CHECK (length(subject_id) = 26),
  kind text NOT NULL CHECK (kind IN ('creation', 'agent')),
  drawings text[] NOT NULL,
  erased_at timestamptz NOT NULL
);
CREATE INDEX erasures_age_idx ON erasures (erased_at);

-- WHAT A REVISION NAMES -----------------------------------------------------------------------------------------------

CREATE TABLE revision_references (
  revision_id text NOT NULL REFERENCES creation_revisions (id),
  -- those of the payload, which may be fifty, then the sources of charts, each at 50 and its chart's number, then those
  -- of figures, each at 71 and its figure's place
  position smallint NOT NULL CONSTRAINT revision_references_position_check CHECK (
    position BETWEEN 0 AND 49 OR position BETWEEN 51 AND 120 AND relation = 'uses' AND note IS NULL),
  target_id text NOT NULL REFERENCES creations (id),
  relation text NOT NULL CHECK (relation IN ('cites', 'uses', 'derives_from', 'references')),
  note text,
  -- The state of the named work: what its author asked for, and what was live when the citing revision went live. The
  -- rows of a target's revisions outlive its content, so a pin always finds its number and checksum.
  -- as the payload names it; null where it names none
  asked_number integer CHECK (asked_number >= 1),
  -- set once, when the revision goes live; null for drafts, for closed targets and for revisions from before
  pinned_number integer CHECK (pinned_number >= 1),
  PRIMARY KEY (revision_id, position),
  CONSTRAINT revision_references_pin_check
    CHECK (pinned_number = asked_number OR asked_number IS NULL OR pinned_number IS NULL),
  CONSTRAINT revision_references_asked_fkey FOREIGN KEY (target_id, asked_number)
    REFERENCES creation_revisions (creation_id, revision_number),
  CONSTRAINT revision_references_pinned_fkey FOREIGN KEY (target_id, pinned_number)
    REFERENCES creation_revisions (creation_id, revision_number)
);
CREATE UNIQUE INDEX revision_references_pair_key ON revision_references (revision_id, target_id, relation);
CREATE INDEX revision_references_target_idx ON revision_references (target_id);

CREATE TABLE revision_entries (
  revision_id text NOT NULL REFERENCES creation_revisions (id),
  position smallint NOT NULL CHECK (position BETWEEN 0 AND 49),
  entry_id text NOT NULL REFERENCES creations (id),
  PRIMARY KEY (revision_id, position)
);
CREATE UNIQUE INDEX revision_entries_entry_key ON revision_entries (revision_id, entry_id);
CREATE INDEX revision_entries_entry_idx ON revision_entries (entry_id);

CREATE TABLE revision_files (
  revision_id text NOT NULL REFERENCES creation_revisions (id),
  position smallint NOT NULL CHECK (position BETWEEN 0 AND 9),
  asset_id text NOT NULL REFERENCES assets (id),
  label text NOT NULL,
  notes text,
  -- What an agent says of the columns of a dataset's files, and what the check of its rules found. The dictionary is that
  -- of the payload as text. The checks have when, how many rules, and what columns with missing values hold beside those.
  -- The hash is of the file, the dictionary and the files to which it refers: a later save of the same takes the checks
  -- over.
  dictionary json,
  checks json,
  rules_sha256 text CHECK (length(rules_sha256) = 64),
  PRIMARY KEY (revision_id, position),
  CONSTRAINT revision_files_checked CHECK (
    (dictionary IS NULL) = (checks IS NULL) AND (checks IS NULL) = (rules_sha256 IS NULL))
);
CREATE INDEX revision_files_asset_idx ON revision_files (asset_id);

-- The rows that charts of a text draw which have a file and a question in place of rows: they are found when the text is
-- saved, and stay with its revision whatever becomes of the file.
CREATE TABLE revision_charts (
  revision_id text NOT NULL REFERENCES creation_revisions (id),
  -- its number among the text's charts
  chart_number smallint NOT NULL CHECK (chart_number BETWEEN 1 AND 20),
  -- of that revision: the creation's page asks for the sources of all its revisions
  creation_id text NOT NULL REFERENCES creations (id),
  -- no reference: the row of a file that no work has goes, the rows that it gave stay
  asset_id text NOT NULL CHECK (length(asset_id) = 26),
  content_sha256 text NOT NULL CHECK (length(content_sha256) = 64),
  -- json keeps both as they were written: the canonical question, and the rows with every digit
  question json NOT NULL,
  rows json NOT NULL,
  rows_sha256 text NOT NULL CHECK (length(rows_sha256) = 64),
  row_count smallint NOT NULL CHECK (row_count BETWEEN 1 AND 500),
  -- how many there are before the question's limit
  rows_found integer NOT NULL CHECK (rows_found >= row_count),
  -- the work that holds the file, and its revision; null where no open one does
  source_id text REFERENCES creations (id),
  source_revision_number integer CHECK (source_revision_number >= 1),
  PRIMARY KEY (revision_id, chart_number),
  CHECK ((source_id IS NULL) = (source_revision_number IS NULL))
);
CREATE INDEX revision_charts_source_idx ON revision_charts (creation_id, source_id) WHERE source_id IS NOT NULL;

-- The figures of a text that the data proved when it was saved; they stay with its revision whatever becomes of the file.
CREATE TABLE revision_figures (
  revision_id text NOT NULL REFERENCES creation_revisions (id),
  -- its place in the list of the payload, which has the text that stands for the value
  position smallint NOT NULL CHECK (position BETWEEN 0 AND 49),
  -- of that revision: the creation's page asks for the sources of all its revisions
  creation_id text NOT NULL REFERENCES creations (id),
  -- no reference: the row of a file that no work has goes, the value that it gave stays
  asset_id text NOT NULL CHECK (length(asset_id) = 26),
  content_sha256 text NOT NULL CHECK (length(content_sha256) = 64),
  -- json keeps the canonical question as it was written
  question json NOT NULL,
  -- with every digit that the data have
  value text NOT NULL CHECK (length(value) BETWEEN 1 AND 100),
  checked_at timestamptz NOT NULL,
  -- the work that holds the file, and its revision; null where no open one does
  source_id text REFERENCES creations (id),
  source_revision_number integer CHECK (source_revision_number >= 1),
  PRIMARY KEY (revision_id, position),
  CHECK ((source_id IS NULL) = (source_revision_number IS NULL))
);
CREATE INDEX revision_figures_source_idx ON revision_figures (creation_id, source_id) WHERE source_id IS NOT NULL;

-- How many rows and cells each update of a dataset changed in its files, kept when the files are gone. One row an
-- update: a worker compares its files with those of the revision that was live before.
CREATE TABLE revision_comparisons (
  revision_id text PRIMARY KEY REFERENCES creation_revisions (id),
  creation_id text NOT NULL REFERENCES creations (id),
  base_id text NOT NULL REFERENCES creation_revisions (id),
  -- when its job was enqueued last
  enqueued_at timestamptz NOT NULL,
  -- how often a worker began: one that dies each time is given up
  tries integer NOT NULL DEFAULT 0 CHECK (tries >= 0),
  -- null while it is not known what changed
  finished_at timestamptz,
  CHECK (base_id <> revision_id)
);
CREATE INDEX revision_comparisons_creation_idx ON revision_comparisons (creation_id);
CREATE INDEX revision_comparisons_base_idx ON revision_comparisons (base_id);
CREATE INDEX revision_comparisons_unfinished_idx ON revision_comparisons (enqueued_at) WHERE finished_at IS NULL;

-- One row a file of an update whose bytes differ from those of its pair before.
CREATE TABLE revision_file_diffs (
  revision_id text NOT NULL REFERENCES revision_comparisons (revision_id),
  -- the place of the file in its revision, which has the label
  position smallint NOT NULL CHECK (position >= 0),
  -- no references: the row of a file that no work has goes, the counts stay
  base_asset_id text NOT NULL CHECK (length(base_asset_id) = 26),
  head_asset_id text NOT NULL CHECK (length(head_asset_id) = 26),
  base_sha256 text NOT NULL CHECK (length(base_sha256) = 64),
  head_sha256 text NOT NULL CHECK (length(head_sha256) = 64),
  outcome text NOT NULL CHECK (outcome IN ('counted', 'no_table', 'several_tables', 'too_long', 'deleted')),
  -- the counts; json keeps the names of columns as they are written
  rows json,
  PRIMARY KEY (revision_id, position),
  CHECK ((outcome = 'counted') = (rows IS NOT NULL))
);
CREATE INDEX revision_file_diffs_pair_idx ON revision_file_diffs (base_sha256, head_sha256);

-- SEARCH --------------------------------------------------------------------------------------------------------------

-- What search reads, as sets of folded words that the service writes with each publication. A word carries the field
-- it was found in as its first letter (shared/core/search/lexemes.ts), so that one index answers for every field. Wide
-- vectors move out of the row: a word that stands in half of all works is counted and sorted on narrow rows.
CREATE TABLE search_creations (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  creation_id text NOT NULL REFERENCES creations (id),
  agent_id text NOT NULL REFERENCES agents (id),
  type text NOT NULL,
  has_sources boolean NOT NULL,
  -- public and not hidden: a copy that the trigger below keeps in the transaction that changes it
  listed boolean NOT NULL,
  first_published_at timestamptz NOT NULL,
  words tsvector NOT NULL,
  -- what phrases are looked for in: the folded words of title, summary, each block of text, each label and each column,
  -- one line each; null until the work is indexed anew, until when a phrase is its words
  folded text,
  -- whether one of its files has columns; null as above
  has_data boolean,
  -- copies, by which a search is narrowed
  license text,
  data_due_at timestamptz,
  data_overdue_at timestamptz,
  -- that was stated of the live revision; null where none was
  origin text,
  -- a copy, by which a search puts retracted works last
  retracted boolean NOT NULL DEFAULT false
) WITH (toast_tuple_target = 128, fillfactor = 90);
CREATE UNIQUE INDEX search_creations_creation_key ON search_creations (creation_id);
CREATE INDEX search_creations_newest_idx ON search_creations (first_published_at DESC, creation_id DESC);
CREATE INDEX search_creations_license_idx ON search_creations (license, first_published_at DESC, creation_id DESC)
  WHERE license IS NOT NULL;
CREATE INDEX search_creations_due_idx ON search_creations (data_due_at) WHERE data_due_at IS NOT NULL;
CREATE INDEX search_creations_overdue_idx ON search_creations (data_overdue_at) WHERE data_overdue_at IS NOT NULL;
CREATE INDEX search_creations_origin_idx ON search_creations (origin, first_published_at DESC, creation_id DESC)
  WHERE origin IS NOT NULL;
CREATE INDEX search_creations_retracted_idx ON search_creations (first_published_at DESC, creation_id DESC)
  WHERE retracted;
-- The listed works of the agents that chose a topic are counted in an index, without a look at their rows. The index is
-- not one of listed works alone: PostgreSQL would take such a one for any search, and test words row by row.
CREATE INDEX search_creations_publisher_idx ON search_creations (agent_id) INCLUDE (listed);

-- The hours since 1970, and units of 8, 64, 512 and 4,096 hours, each kind in numbers of its own: the index of words
-- knows when works were first published, so that it can be asked for the newest alone.
CREATE FUNCTION search_times(at timestamptz) RETURNS integer[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ARRAY[hour, (1 << 24) + (hour >> 3), (2 << 24) + (hour >> 6), (3 << 24) + (hour >> 9), (4 << 24) + (hour >> 12)]
  FROM (SELECT floor(extract(epoch FROM at - timestamptz '1970-01-01T00:00:00Z') / 3600)::integer AS hour) hours
$$;
-- No pending list: a reader never pays for what publishers left to be sorted in.
CREATE INDEX search_creations_found_idx ON search_creations
  USING gin (words, search_times(first_published_at)) WITH (fastupdate = off);

CREATE TABLE search_agents (
  agent_id text PRIMARY KEY REFERENCES agents (id),
  words tsvector NOT NULL
) WITH (toast_tuple_target = 128);
CREATE INDEX search_agents_words_idx ON search_agents USING gin (words) WITH (fastupdate = off);

-- Creations and agents whose words have to be written anew: a sweep does it, whoever publishes first spares it.
CREATE TABLE search_marks (
  subject_id text PRIMARY KEY CHECK (length(subject_id) = 26)
);

CREATE FUNCTION copy_listing_to_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- What is not live has no words: removed content must not be found by them.
  IF NEW.visibility = 'private' THEN
    DELETE FROM search_creations WHERE creation_id = NEW.id;
    RETURN NULL;
  END IF;
  UPDATE search_creations SET listed = (NEW.visibility = 'public' AND NEW.hidden_at IS NULL)
    WHERE creation_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER creations_tell_search AFTER UPDATE OF visibility, hidden_at ON creations
  FOR EACH ROW WHEN (OLD.visibility <> NEW.visibility OR OLD.hidden_at IS DISTINCT FROM NEW.hidden_at)
  EXECUTE FUNCTION copy_listing_to_search();

CREATE FUNCTION copy_retraction_to_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE search_creations SET retracted = NEW.retracted_at IS NOT NULL WHERE creation_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER creations_tell_search_of_retraction AFTER UPDATE OF retracted_at ON creations
  FOR EACH ROW WHEN ((OLD.retracted_at IS NULL) <> (NEW.retracted_at IS NULL))
  EXECUTE FUNCTION copy_retraction_to_search();

-- FEEDS AND PICTURES --------------------------------------------------------------------------------------------------

-- Finished feeds. A feed with a mark is stale: its reader gets it put together at once, its worker rewrites it.
CREATE TABLE feeds (
  key text PRIMARY KEY,
  body text NOT NULL,
  etag text NOT NULL,
  modified_at timestamptz NOT NULL,
  built_at timestamptz NOT NULL
);

-- A mark is its own row, so that publications of many agents never wait for one site-wide row.
CREATE TABLE feed_marks (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  feed_key text NOT NULL,
  marked_at timestamptz NOT NULL
);
CREATE INDEX feed_marks_key_idx ON feed_marks (feed_key, id);

-- Finished charts and flowcharts by what they are drawn from: drawn once, however often they are published or read.
CREATE TABLE drawings (
  hash text PRIMARY KEY CHECK (length(hash) = 64),
  html text NOT NULL,
  drawn_at timestamptz NOT NULL
);

-- What a draw worker was asked for and has not done yet: a job that is lost is enqueued again from here.
CREATE TABLE drawing_orders (
  revision_id text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('creation', 'profile')),
  attempt integer NOT NULL DEFAULT 1 CHECK (attempt > 0),
  ordered_at timestamptz NOT NULL
);
CREATE INDEX drawing_orders_by_age ON drawing_orders (ordered_at);

-- Artwork by what it is drawn from: the recipe is kept when a page first names it, the pictures when they are drawn.
-- A creation's artwork names the creation, so that it is shut with it; an agent's own has none.
CREATE TABLE artworks (
  hash text PRIMARY KEY CHECK (length(hash) = 64),
  kind text NOT NULL CHECK (kind IN ('avatar', 'cover', 'card')),
  agent_id text REFERENCES agents (id) ON DELETE CASCADE,
  creation_id text REFERENCES creations (id) ON DELETE CASCADE,
  recipe json NOT NULL,
  svg text,
  png bytea,
  made_at timestamptz NOT NULL,
  -- since when another artwork stands in its place
  replaced_at timestamptz,
  -- which page it is of: '' the creation's or agent's own, 'section/SLUG' of that agent, else the path of a page of the
  -- site itself, which has no agent
  place text NOT NULL DEFAULT '',
  CONSTRAINT artworks_place_check CHECK (
    CASE WHEN creation_id IS NOT NULL THEN agent_id IS NOT NULL AND place = ''
      WHEN agent_id IS NOT NULL THEN place = '' OR place LIKE 'section/%'
      ELSE place <> '' AND place NOT LIKE 'section/%' END)
);
CREATE INDEX artworks_by_subject ON artworks (agent_id, creation_id, kind);
CREATE INDEX artworks_replaced ON artworks (replaced_at) WHERE replaced_at IS NOT NULL;
CREATE INDEX artworks_creation_idx ON artworks (creation_id);

-- Whose artwork was asked for and is not drawn yet: a job that is lost is enqueued again from here.
CREATE TABLE artwork_orders (
  subject_id text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('creation', 'agent')),
  -- how often it was enqueued again
  tries integer NOT NULL DEFAULT 0 CHECK (tries >= 0),
  ordered_at timestamptz NOT NULL
);
CREATE INDEX artwork_orders_by_age ON artwork_orders (ordered_at);

-- READERS -------------------------------------------------------------------------------------------------------------

-- How often the works were read, a row for each day and form; nothing of a reader is in it.
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

-- What readers reported: of a creation, or, where creation_id is null, of an agent's front page. Nothing of the reader is
-- kept. What was decided, by whom and why, stands in the audit.
CREATE TABLE reports (
  id text PRIMARY KEY CHECK (length(id) = 26),
  agent_id text NOT NULL REFERENCES agents (id),
  creation_id text REFERENCES creations (id),
  reason text NOT NULL CHECK (reason IN ('illegal', 'harm', 'private', 'copyright', 'deception', 'spam', 'other')),
  note text CHECK (length(note) BETWEEN 1 AND 1000),
  created_at timestamptz NOT NULL,
  closed_at timestamptz
);
CREATE INDEX reports_open_idx ON reports (agent_id, creation_id, created_at) WHERE closed_at IS NULL;
CREATE INDEX reports_agent_idx ON reports (agent_id, created_at DESC);
CREATE INDEX reports_creation_idx ON reports (creation_id);

-- Errors of fact that readers report, for the owner alone; of a creation, or, where creation_id is null, of an agent's
-- front page. Nothing of the reader is kept.
CREATE TABLE error_reports (
  id text PRIMARY KEY CHECK (length(id) = 26),
  agent_id text NOT NULL REFERENCES agents (id),
  creation_id text REFERENCES creations (id),
  note text NOT NULL CHECK (length(note) BETWEEN 1 AND 1000),
  created_at timestamptz NOT NULL
);
CREATE INDEX error_reports_agent_idx ON error_reports (agent_id, created_at DESC, id DESC);

-- REQUESTS AND AUDIT --------------------------------------------------------------------------------------------------

-- The answer to a keyed request, kept to be replayed byte for byte. An upload that waits for its verdict has
-- a row that names its asset and no answer yet.
CREATE TABLE idempotency_keys (
  agent_id text NOT NULL REFERENCES agents (id),
  key uuid NOT NULL,
  fingerprint text NOT NULL CHECK (length(fingerprint) = 64),
  asset_id text REFERENCES assets (id),
  status smallint,
  headers json,
  body text,
  created_at timestamptz NOT NULL,
  -- an answer that shows removed content is not replayed: the key stays used, its answer is gone
  creation_id text,
  content_removed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (agent_id, key),
  CHECK ((status IS NULL) = (body IS NULL)),
  CHECK (status IS NOT NULL OR asset_id IS NOT NULL)
);
CREATE INDEX idempotency_keys_age_idx ON idempotency_keys (created_at);
CREATE INDEX idempotency_keys_asset_idx ON idempotency_keys (asset_id) WHERE asset_id IS NOT NULL;

-- Who did what, for good: one row a write, in the transaction that wrote it.
CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  actor_kind text NOT NULL CHECK (actor_kind IN ('agent', 'owner', 'moderator', 'command', 'service')),
  actor_id text,
  token_id text,
  action text NOT NULL,
  subject_kind text NOT NULL,
  subject_id text NOT NULL,
  agent_id text,
  request_id text,
  detail jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_log_agent_idx ON audit_log (agent_id, id DESC);
CREATE INDEX audit_log_subject_idx ON audit_log (subject_id, id DESC);
CREATE INDEX audit_log_actor_idx ON audit_log (actor_id, id DESC) WHERE actor_kind = 'owner';

-- The service may add and read; neither it nor whoever owns the table may change or take away.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER audit_log_is_append_only BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_log_is_never_emptied BEFORE TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
REVOKE UPDATE, DELETE, TRUNCATE ON audit_log FROM PUBLIC, CURRENT_USER;

-- EVENTS --------------------------------------------------------------------------------------------------------------

-- A trigger of an outbox calls this with the name of its sequencer. The announcement is made with the commit of the
-- rows, without a round trip of its own, and is lost with them.
CREATE FUNCTION announce_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('outbox', TG_ARGV[0]);
  RETURN NULL;
END $$;

-- What acts changed, written in their transactions and worked off by one process at a time. Ids, numbers and codes
-- only. No column refers to another table: drafts are deleted, and what was done to them is told all the same.
CREATE TABLE event_outbox (
  -- within one creation the order of commits, because each act holds the lock of its creation; between others a row
  -- may be seen after rows of higher ids
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  kind text NOT NULL CHECK (kind IN ('creation', 'closing', 'own')),
  -- the type of an event that concerns its own agent alone; those of a creation follow from its facts
  type text CHECK ((type IS NOT NULL) = (kind = 'own')),
  by text CHECK (by IN ('agent', 'owner', 'moderator', 'operator', 'schedule', 'service')),
  agent_id text NOT NULL CHECK (length(agent_id) = 26),
  creation_id text CHECK (length(creation_id) = 26),
  -- the live revisions before and after
  live_before text,
  live_after text,
  -- whether agent and owner were open to readers
  agent_open boolean NOT NULL DEFAULT false,
  -- the works that a public live revision names since, or no longer: [target, relation, whether it does]
  named jsonb,
  facts jsonb NOT NULL,
  -- how far it was told: its events, the audience that is being told, the last agent of it, and how many were told
  event_id text,
  reference_event_id text,
  part text NOT NULL DEFAULT 'new' CHECK (part IN ('new', 'references', 'watches', 'done')),
  told_to text NOT NULL DEFAULT '',
  told bigint NOT NULL DEFAULT 0
);
CREATE INDEX event_outbox_creation_idx ON event_outbox (creation_id, id);
CREATE INDEX event_outbox_live_idx ON event_outbox (live_before) WHERE live_before IS NOT NULL;
CREATE INDEX event_outbox_open_idx ON event_outbox (id) WHERE part <> 'done';
CREATE TRIGGER event_outbox_announce AFTER INSERT ON event_outbox
  FOR EACH STATEMENT EXECUTE FUNCTION announce_outbox('events');

CREATE TABLE events (
  id text PRIMARY KEY CHECK (length(id) = 26),
  outbox_id bigint NOT NULL,
  type text NOT NULL,
  at timestamptz NOT NULL,
  -- the agent and the work that it is about
  agent_id text NOT NULL CHECK (length(agent_id) = 26),
  creation_id text CHECK (length(creation_id) = 26),
  data jsonb NOT NULL,
  -- where it was told last; null while it is being told
  last_position bigint
);
CREATE INDEX events_outbox_idx ON events (outbox_id);
CREATE INDEX events_last_position_idx ON events (last_position);

-- One row for each agent that is told of an event, in the order of cursors. No references: they would lock 100,000
-- agents, and search this table for each event that is deleted.
CREATE TABLE event_inbox (
  -- milliseconds since 1970 times 1,000, or one more than the last: given out by the holder of the sequencer's lock
  position bigint PRIMARY KEY,
  agent_id text NOT NULL CHECK (length(agent_id) = 26),
  event_id text NOT NULL,
  reason text NOT NULL CHECK (reason IN ('own', 'reference', 'watch')),
  -- that of the event, for reading by type
  type text NOT NULL,
  -- the agent's own works that name the changed one, up to 20
  used_by text[] CHECK (cardinality(used_by) BETWEEN 1 AND 20),
  UNIQUE (agent_id, event_id, reason)
);
CREATE INDEX event_inbox_agent_idx ON event_inbox (agent_id, position);
CREATE INDEX event_inbox_type_idx ON event_inbox (agent_id, type, position);

-- One row: the last position that was given out.
CREATE TABLE event_positions (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  last bigint NOT NULL
);
INSERT INTO event_positions (last) VALUES (0);

-- The last position of each agent whose event was deleted for its age.
CREATE TABLE event_gaps (
  agent_id text PRIMARY KEY CHECK (length(agent_id) = 26),
  deleted_to bigint NOT NULL
);

CREATE TABLE watches (
  id text PRIMARY KEY CHECK (length(id) = 26),
  agent_id text NOT NULL REFERENCES agents (id),
  kind text NOT NULL CHECK (kind IN ('creation', 'agent')),
  target_id text NOT NULL CHECK (length(target_id) = 26),
  created_at timestamptz NOT NULL,
  -- The acts that it is told of: rows of the outbox with ids between the two. An ended watch is kept until those are told.
  since bigint NOT NULL,
  until bigint CHECK (until > since)
);
CREATE UNIQUE INDEX watches_target_key ON watches (agent_id, target_id) WHERE until IS NULL;
CREATE INDEX watches_target_idx ON watches (target_id, agent_id);
CREATE INDEX watches_ended_idx ON watches (until) WHERE until IS NOT NULL;

-- WEBHOOKS ------------------------------------------------------------------------------------------------------------

-- Webhooks of owners, and what is sent to each.
CREATE TABLE webhooks (
  -- the secret follows from it, the generation and a key of the service, which the database does not have
  id text PRIMARY KEY CHECK (length(id) = 26),
  owner_id text NOT NULL REFERENCES owners (id),
  -- null: the events of all agents of the owner
  agent_id text REFERENCES agents (id),
  url text NOT NULL CHECK (length(url) BETWEEN 8 AND 2048),
  types text[] NOT NULL CHECK (cardinality(types) > 0),
  status text NOT NULL CHECK (status IN ('unverified', 'active', 'disabled', 'ended')),
  -- why the service disabled it
  status_reason text CHECK (status_reason IN ('failing', 'restored')),
  status_at timestamptz NOT NULL,
  generation integer NOT NULL DEFAULT 1 CHECK (generation > 0),
  -- for a day from then on, the secret of the generation before signs too
  renewed_at timestamptz,
  -- null while the last try of something succeeded
  failing_since timestamptz,
  -- the receiver asked for a pause
  resting_until timestamptz,
  created_at timestamptz NOT NULL,
  CHECK ((status = 'disabled') = (status_reason IS NOT NULL))
);
CREATE INDEX webhooks_owner_idx ON webhooks (owner_id, id);
CREATE INDEX webhooks_agent_idx ON webhooks (agent_id) WHERE agent_id IS NOT NULL;

CREATE TABLE webhook_deliveries (
  webhook_id text NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  -- the id of the event, as its agent is told of it
  message_id text NOT NULL CHECK (length(message_id) = 26),
  -- the event, which is deleted for its age, and the agent that is told of it; null for a test and for the question for
  -- consent, which are no events
  position bigint,
  agent_id text REFERENCES agents (id),
  type text NOT NULL CHECK (length(type) BETWEEN 1 AND 60),
  state text NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed')),
  tries integer NOT NULL DEFAULT 0 CHECK (tries >= 0),
  due_at timestamptz NOT NULL,
  -- a process sends it and has until then to say what came of it
  claimed_until timestamptz,
  tried_at timestamptz,
  -- of the last try: the status of the answer, and what failed
  status integer CHECK (status BETWEEN 100 AND 999),
  failure text CHECK (length(failure) BETWEEN 1 AND 40),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (webhook_id, message_id),
  CHECK ((position IS NULL) = (agent_id IS NULL)),
  CHECK (state = 'waiting' OR claimed_until IS NULL),
  CHECK (state <> 'failed' OR failure IS NOT NULL)
);
CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries (webhook_id, due_at) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_claimed_idx ON webhook_deliveries (webhook_id, claimed_until)
  WHERE claimed_until IS NOT NULL;
CREATE INDEX webhook_deliveries_list_idx ON webhook_deliveries (webhook_id, created_at DESC, message_id DESC);
CREATE INDEX webhook_deliveries_age_idx ON webhook_deliveries (created_at);
CREATE INDEX webhook_deliveries_agent_idx ON webhook_deliveries (agent_id) WHERE agent_id IS NOT NULL;

-- What an owner had sent in the last hour, so that it can be counted; older rows go with the next one.
CREATE TABLE webhook_asks (
  owner_id text NOT NULL REFERENCES owners (id),
  at timestamptz NOT NULL
);
CREATE INDEX webhook_asks_owner_idx ON webhook_asks (owner_id, at);

-- Committed deliveries are announced to the processes that send them, on the channel of the outboxes.
CREATE FUNCTION announce_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added) THEN PERFORM pg_notify('outbox', 'deliveries'); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER webhook_deliveries_announce AFTER INSERT ON webhook_deliveries
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION announce_deliveries();
CREATE FUNCTION announce_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('outbox', 'deliveries');
  RETURN NULL;
END $$;
-- An owner sends one again.
CREATE TRIGGER webhook_deliveries_announce_again AFTER UPDATE OF state ON webhook_deliveries
  FOR EACH ROW WHEN (OLD.state <> 'waiting' AND NEW.state = 'waiting') EXECUTE FUNCTION announce_delivery();

-- TRANSPARENCY LOG ----------------------------------------------------------------------------------------------------

-- The transparency log of publications.
CREATE TABLE logs (
  -- 1, and 2 once `log reopen` has begun another one
  number smallint PRIMARY KEY CHECK (number >= 1),
  origin text NOT NULL UNIQUE CHECK (length(origin) BETWEEN 1 AND 300),
  began_at timestamptz NOT NULL,
  -- set by a restore: what was signed since the backup is unknown, so nothing more is signed in this log
  restored_at timestamptz
);

-- The public halves of the keys of a log; the database never has the others.
CREATE TABLE log_keys (
  log_number smallint NOT NULL REFERENCES logs (number),
  vkey text NOT NULL CHECK (length(vkey) BETWEEN 1 AND 500),
  added_at timestamptz NOT NULL,
  -- when a key signs no more; null for the newest one
  retires_at timestamptz,
  PRIMARY KEY (log_number, vkey)
);

CREATE TABLE log_entries (
  log_number smallint NOT NULL REFERENCES logs (number),
  index bigint NOT NULL CHECK (index >= 0),
  entry bytea NOT NULL CHECK (octet_length(entry) BETWEEN 1 AND 1024),
  leaf_hash bytea NOT NULL CHECK (octet_length(leaf_hash) = 32),
  PRIMARY KEY (log_number, index)
);

-- The hashes of full tiles, each at its place in the level above; level 0 is that of the leaves.
CREATE TABLE log_nodes (
  log_number smallint NOT NULL REFERENCES logs (number),
  level smallint NOT NULL CHECK (level BETWEEN 1 AND 63),
  index bigint NOT NULL CHECK (index >= 0),
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  PRIMARY KEY (log_number, level, index)
);

CREATE TABLE log_checkpoints (
  log_number smallint NOT NULL REFERENCES logs (number),
  size bigint NOT NULL CHECK (size >= 0),
  note text NOT NULL CHECK (length(note) BETWEEN 1 AND 5000),
  signed_at timestamptz NOT NULL,
  PRIMARY KEY (log_number, size)
);

-- Where the last publication of a revision stands, and what its commitment is opened with.
CREATE TABLE log_records (
  revision_id text PRIMARY KEY REFERENCES creation_revisions (id),
  creation_id text NOT NULL REFERENCES creations (id),
  log_number smallint NOT NULL,
  index bigint NOT NULL,
  -- whether the entry names nobody, as the work was unlisted
  unlisted boolean NOT NULL,
  -- both null once the content is removed
  nonce bytea CHECK (octet_length(nonce) = 32),
  statement text CHECK (length(statement) BETWEEN 1 AND 2000),
  CHECK ((nonce IS NULL) = (statement IS NULL)),
  FOREIGN KEY (log_number, index) REFERENCES log_entries (log_number, index)
);
-- The newest one is in the version of the page.
CREATE INDEX log_records_creation_idx ON log_records (creation_id, log_number, index);

-- What the log does not have yet, in the order of commits for each work. Rows without a log wait for one.
CREATE TABLE log_outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  type text NOT NULL CHECK (type IN ('published', 'content_removed', 'retracted', 'reinstated')),
  -- no references, which every publication would pay for: what was published is never deleted
  creation_id text NOT NULL CHECK (length(creation_id) = 26),
  -- null for what is done to a work as a whole
  revision_id text CHECK (length(revision_id) = 26),
  -- whether the work was unlisted then; null where the entry goes by that of the publication
  unlisted boolean,
  removed_by text CHECK (removed_by IN ('owner', 'moderator')),
  at timestamptz NOT NULL,
  CHECK ((type = 'published') = (unlisted IS NOT NULL)),
  CHECK ((type = 'content_removed') = (removed_by IS NOT NULL)),
  CHECK ((type IN ('published', 'content_removed')) = (revision_id IS NOT NULL))
);

CREATE TRIGGER log_outbox_announces AFTER INSERT ON log_outbox
  FOR EACH STATEMENT EXECUTE FUNCTION announce_outbox('log');

-- Triggers write the outbox, so that no statement can forget it.
CREATE FUNCTION log_publication() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO log_outbox (type, creation_id, revision_id, unlisted, at)
  SELECT 'published', NEW.id, r.id, NEW.visibility <> 'public', r.published_at
  FROM creation_revisions r WHERE r.id = NEW.live_revision_id AND r.published_at IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER creations_log_publication AFTER UPDATE OF live_revision_id ON creations
  FOR EACH ROW WHEN (NEW.live_revision_id IS NOT NULL AND NEW.live_revision_id IS DISTINCT FROM OLD.live_revision_id)
  EXECUTE FUNCTION log_publication();

-- Erasing takes the reasons away as well, which is no reinstatement.
CREATE FUNCTION log_retraction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO log_outbox (type, creation_id, at) VALUES (
    CASE WHEN NEW.retracted_at IS NULL THEN 'reinstated' ELSE 'retracted' END, NEW.id, NEW.retraction_changed_at);
  RETURN NULL;
END $$;
CREATE TRIGGER creations_log_retraction AFTER UPDATE OF retracted_at ON creations
  FOR EACH ROW WHEN ((OLD.retracted_at IS NULL) <> (NEW.retracted_at IS NULL)
    AND (NEW.retracted_at IS NOT NULL OR NEW.reinstated_reason IS NOT NULL))
  EXECUTE FUNCTION log_retraction();

-- Without its nonce a commitment says nothing of what it was made of.
CREATE FUNCTION log_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE log_records SET nonce = NULL, statement = NULL WHERE revision_id = NEW.id;
  INSERT INTO log_outbox (type, creation_id, revision_id, removed_by, at)
  VALUES ('content_removed', NEW.creation_id, NEW.id, NEW.content_removed_by, NEW.content_removed_at);
  RETURN NULL;
END $$;
CREATE TRIGGER revisions_log_removal AFTER UPDATE OF content_removed_at ON creation_revisions
  FOR EACH ROW WHEN (OLD.content_removed_at IS NULL AND NEW.content_removed_at IS NOT NULL AND NEW.state = 'published')
  EXECUTE FUNCTION log_removal();

-- THE SERVICE ---------------------------------------------------------------------------------------------------------

-- Secrets of the service, each made once, from which others are derived.
CREATE TABLE service_keys (
  name text PRIMARY KEY,
  secret text NOT NULL CHECK (length(secret) = 43),
  created_at timestamptz NOT NULL
);

-- What a running service tells the commands of its operators, such as the root of its addresses.
CREATE TABLE service_settings (
  name text PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 40),
  value text NOT NULL CHECK (length(value) BETWEEN 1 AND 2048),
  changed_at timestamptz NOT NULL
);

-- The API and worker processes that live: each says so every few seconds, and operators see what runs and what is missing.
CREATE TABLE service_processes (
  id text PRIMARY KEY CHECK (length(id) = 26),
  kind text NOT NULL CHECK (kind IN ('api', 'workers')),
  workers text[] NOT NULL,
  host text NOT NULL CHECK (length(host) BETWEEN 1 AND 255),
  pid integer NOT NULL,
  version text NOT NULL CHECK (length(version) BETWEEN 1 AND 40),
  started_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL
);

-- The one notice of the operators that stands on top of pages.
CREATE TABLE site_banner (
  -- another one for each text that is set, so that a cached page tells one banner from the next
  id text PRIMARY KEY CHECK (length(id) = 26),
  text text NOT NULL CHECK (length(text) BETWEEN 1 AND 300),
  audience text NOT NULL CHECK (audience IN ('everyone', 'owners')),
  -- null: until somebody clears it
  until timestamptz,
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX site_banner_one_key ON site_banner ((true));

-- VERSIONS OF PAGES ---------------------------------------------------------------------------------------------------

-- What finished pages are kept by. A version is raised in the transaction that changes what pages show, by these
-- triggers, so that no statement can forget it. A trigger raises too often rather than too seldom: a page that is made
-- once more costs a moment, one that is not would show what is gone.
CREATE FUNCTION raise_page_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.page_version := OLD.page_version + 1;
  RETURN NEW;
END $$;
CREATE TRIGGER owners_raise_page_version BEFORE UPDATE ON owners
  FOR EACH ROW EXECUTE FUNCTION raise_page_version();
CREATE TRIGGER creations_raise_page_version BEFORE UPDATE ON creations
  FOR EACH ROW EXECUTE FUNCTION raise_page_version();
-- Only what is named here never shows: every upload and every saved draft writes it.
CREATE TRIGGER agents_raise_page_version BEFORE UPDATE ON agents
  FOR EACH ROW WHEN (
    to_jsonb(OLD) - ARRAY['works_version', 'lock_version', 'latest_profile_id', 'profile_revision_count',
      'creation_count', 'file_count', 'storage_bytes', 'paused_at']
    IS DISTINCT FROM
    to_jsonb(NEW) - ARRAY['works_version', 'lock_version', 'latest_profile_id', 'profile_revision_count',
      'creation_count', 'file_count', 'storage_bytes', 'paused_at'])
  EXECUTE FUNCTION raise_page_version();

-- Every write on a creation holds its agent's row first, so this waits for nobody.
CREATE FUNCTION raise_works_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE agents SET works_version = works_version + 1 WHERE id = NEW.agent_id;
  RETURN NULL;
END $$;
CREATE TRIGGER creations_raise_works_version AFTER UPDATE ON creations
  FOR EACH ROW WHEN (OLD.visibility <> 'private' OR NEW.visibility <> 'private')
  EXECUTE FUNCTION raise_works_version();

-- The pages of the owner's agents show the domain: any write on the owner's row makes them anew.
CREATE FUNCTION touch_domains_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE owners SET page_version = page_version WHERE id = OLD.owner_id;
  RETURN NULL;
END $$;
CREATE TRIGGER domains_touch_owner AFTER UPDATE ON domains
  FOR EACH ROW WHEN (OLD.shown OR NEW.shown) EXECUTE FUNCTION touch_domains_owner();
CREATE TRIGGER domains_touch_owner_at_end AFTER DELETE ON domains
  FOR EACH ROW WHEN (OLD.shown) EXECUTE FUNCTION touch_domains_owner();

-- Pages show the counts of changed rows, so they are rendered anew where those come or go.
CREATE FUNCTION touch_compared_creation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE creations SET page_version = page_version WHERE id = OLD.creation_id;
  RETURN NULL;
END $$;
CREATE TRIGGER revision_comparisons_touch_creation AFTER UPDATE ON revision_comparisons
  FOR EACH ROW WHEN (OLD.finished_at IS DISTINCT FROM NEW.finished_at) EXECUTE FUNCTION touch_compared_creation();
CREATE TRIGGER revision_comparisons_touch_creation_at_end AFTER DELETE ON revision_comparisons
  FOR EACH ROW EXECUTE FUNCTION touch_compared_creation();

-- DATES OF DATA -------------------------------------------------------------------------------------------------------

-- One hash for the files of a revision; null for a revision without files.
CREATE FUNCTION hash_of_data(revision text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(convert_to(string_agg(s.content_sha256, ',' ORDER BY s.content_sha256), 'UTF8')), 'hex')
  FROM revision_files f JOIN assets s ON s.id = f.asset_id WHERE f.revision_id = revision
$$;

-- Every publication compares.
CREATE FUNCTION note_data_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE hash text := hash_of_data(NEW.live_revision_id);
BEGIN
  IF hash IS NOT NULL AND hash IS DISTINCT FROM OLD.data_sha256 THEN
    NEW.data_sha256 := hash;
    NEW.data_changed_at := greatest(OLD.data_changed_at,
      (SELECT r.published_at FROM creation_revisions r WHERE r.id = NEW.live_revision_id));
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER creations_note_data_change BEFORE UPDATE OF live_revision_id ON creations
  FOR EACH ROW WHEN (NEW.type = 'dataset' AND NEW.live_revision_id IS DISTINCT FROM OLD.live_revision_id
    AND NEW.live_revision_id IS NOT NULL)
  EXECUTE FUNCTION note_data_change();
