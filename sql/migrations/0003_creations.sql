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
  CHECK ((visibility = 'private') = (live_revision_id IS NULL)),
  CHECK ((first_published_at IS NULL) = (updated_at IS NULL)),
  CHECK (live_revision_id IS NULL OR first_published_at IS NOT NULL)
);
CREATE UNIQUE INDEX creations_slug_key ON creations (agent_id, slug);
CREATE INDEX creations_newest_idx ON creations (agent_id, created_at DESC, id DESC);
CREATE INDEX creations_public_idx ON creations (agent_id, updated_at DESC, id DESC) WHERE visibility = 'public';
CREATE INDEX creations_public_site_idx ON creations (updated_at DESC, id DESC) WHERE visibility = 'public';

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
  CHECK ((state = 'published') = (published_at IS NOT NULL)),
  CHECK ((content_removed_at IS NULL) = (payload IS NOT NULL)),
  CHECK ((content_removed_at IS NULL) = (content_removed_by IS NULL))
);
CREATE UNIQUE INDEX creation_revisions_number_key ON creation_revisions (creation_id, revision_number);
CREATE UNIQUE INDEX creation_revisions_creation_key ON creation_revisions (creation_id, id);
-- A named revision belongs to its creation, and one column holds at most one live revision.
ALTER TABLE creations ADD FOREIGN KEY (id, latest_revision_id)
  REFERENCES creation_revisions (creation_id, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE creations ADD FOREIGN KEY (id, live_revision_id)
  REFERENCES creation_revisions (creation_id, id) DEFERRABLE INITIALLY DEFERRED;

CREATE TABLE revision_references (
  revision_id text NOT NULL REFERENCES creation_revisions (id),
  position smallint NOT NULL CHECK (position BETWEEN 0 AND 49),
  target_id text NOT NULL REFERENCES creations (id),
  relation text NOT NULL CHECK (relation IN ('cites', 'uses', 'derives_from', 'references')),
  note text,
  PRIMARY KEY (revision_id, position)
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

-- Publications and updates of one agent on one UTC day, counted in the publishing transaction.
CREATE TABLE daily_counts (
  agent_id text NOT NULL REFERENCES agents (id),
  day date NOT NULL,
  publications integer NOT NULL DEFAULT 0 CHECK (publications >= 0),
  updates integer NOT NULL DEFAULT 0 CHECK (updates >= 0),
  PRIMARY KEY (agent_id, day)
);
