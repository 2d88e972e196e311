-- expand: what texts take, and what is made of texts and files, is counted for each agent.

-- Every write holds its agent first: once no other does, nothing that holds one of these waits for another.
LOCK TABLE agents, creations, creation_revisions, profile_revisions, revision_charts, revision_figures, revision_files,
  drawings, assets, parquet_files;

-- What came and went for each agent. The sum of its rows is what the agent uses: a worker that draws and a page that
-- draws count too, and none of them waits for a write that holds the agent. A save makes one row of many. No reference:
-- what is counted refers to the agent, and nobody deletes one.
CREATE TABLE text_uses (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  agent_id text NOT NULL,
  bytes bigint NOT NULL
);
CREATE INDEX text_uses_agent_idx ON text_uses (agent_id) INCLUDE (bytes);

-- The revision whose text a drawing was made for first; its agent is the one for whom it counts. No reference: it is of
-- a creation or of a profile. Null for drawings of the version before, which count for nobody.
ALTER TABLE drawings ADD COLUMN revision_id text;
CREATE INDEX drawings_revision_idx ON drawings (revision_id);

-- The agent of the file that a Parquet file was made of: the file may be gone before it.
ALTER TABLE parquet_files ADD COLUMN agent_id text;

-- The bytes of a row that are counted; null for a row of before, which a sweep counts, a few at a time.
ALTER TABLE creation_revisions ADD COLUMN counted_bytes integer;
ALTER TABLE profile_revisions ADD COLUMN counted_bytes integer;
ALTER TABLE revision_charts ADD COLUMN counted_bytes integer;
ALTER TABLE revision_figures ADD COLUMN counted_bytes integer;
ALTER TABLE revision_files ADD COLUMN counted_bytes integer;
ALTER TABLE drawings ADD COLUMN counted_bytes integer;
ALTER TABLE assets ADD COLUMN counted_bytes integer;
ALTER TABLE parquet_files ADD COLUMN counted_bytes bigint;
CREATE INDEX creation_revisions_uncounted_idx ON creation_revisions (id) WHERE counted_bytes IS NULL;
CREATE INDEX profile_revisions_uncounted_idx ON profile_revisions (id) WHERE counted_bytes IS NULL;
CREATE INDEX revision_charts_uncounted_idx ON revision_charts (revision_id) WHERE counted_bytes IS NULL;
CREATE INDEX revision_figures_uncounted_idx ON revision_figures (revision_id) WHERE counted_bytes IS NULL;
CREATE INDEX revision_files_uncounted_idx ON revision_files (revision_id) WHERE counted_bytes IS NULL;
CREATE INDEX drawings_uncounted_idx ON drawings (drawn_at) WHERE counted_bytes IS NULL;
CREATE INDEX assets_uncounted_idx ON assets (id) WHERE counted_bytes IS NULL;
CREATE INDEX parquet_files_uncounted_idx ON parquet_files (file_id) WHERE counted_bytes IS NULL;

-- What a row of each table takes, and for whom.
CREATE FUNCTION bytes_of_text(r creation_revisions) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(octet_length(r.payload::text), 0)
$$;
CREATE FUNCTION bytes_of_text(r profile_revisions) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT octet_length(r.profile::text)
$$;
CREATE FUNCTION bytes_of_text(r revision_charts) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT octet_length(r.question::text) + octet_length(r.rows::text)
$$;
CREATE FUNCTION bytes_of_text(r revision_figures) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT octet_length(r.question::text) + octet_length(r.value)
$$;
CREATE FUNCTION bytes_of_text(r revision_files) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(octet_length(r.dictionary::text) + octet_length(r.checks::text), 0)
$$;
CREATE FUNCTION bytes_of_text(r drawings) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN r.revision_id IS NOT NULL THEN octet_length(r.html) END
$$;
CREATE FUNCTION bytes_of_text(r assets) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(octet_length(r.inspection::text), 0) + coalesce(octet_length(r.tables::text), 0)
    + coalesce(octet_length(r.hints::text), 0) + coalesce(octet_length(r.stats::text), 0)
    + coalesce(octet_length(r.column_forms::text), 0) + coalesce(octet_length(r.reading_index), 0)
$$;
CREATE FUNCTION bytes_of_text(r parquet_files) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$ SELECT r.bytes $$;
CREATE FUNCTION agent_of_creation(id text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT c.agent_id FROM creations c WHERE c.id = $1
$$;
CREATE FUNCTION agent_of_revision(id text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT c.agent_id FROM creation_revisions r JOIN creations c ON c.id = r.creation_id WHERE r.id = $1
  UNION ALL SELECT p.agent_id FROM profile_revisions p WHERE p.id = $1
$$;
CREATE FUNCTION agent_of_text(r creation_revisions) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT agent_of_creation(r.creation_id)
$$;
CREATE FUNCTION agent_of_text(r profile_revisions) RETURNS text LANGUAGE sql STABLE AS $$ SELECT r.agent_id $$;
CREATE FUNCTION agent_of_text(r revision_charts) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT agent_of_creation(r.creation_id)
$$;
CREATE FUNCTION agent_of_text(r revision_figures) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT agent_of_creation(r.creation_id)
$$;
CREATE FUNCTION agent_of_text(r revision_files) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT agent_of_revision(r.revision_id)
$$;
CREATE FUNCTION agent_of_text(r drawings) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT agent_of_revision(r.revision_id)
$$;
CREATE FUNCTION agent_of_text(r assets) RETURNS text LANGUAGE sql STABLE AS $$ SELECT r.agent_id $$;
CREATE FUNCTION agent_of_text(r parquet_files) RETURNS text LANGUAGE sql STABLE AS $$ SELECT r.agent_id $$;

CREATE FUNCTION measure_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.counted_bytes := bytes_of_text(NEW);
  RETURN NEW;
END $$;

CREATE FUNCTION measure_parquet() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.counted_bytes := bytes_of_text(NEW);
  NEW.agent_id := coalesce(NEW.agent_id, (SELECT s.agent_id FROM assets s WHERE s.id = NEW.asset_id));
  RETURN NEW;
END $$;

-- By triggers, so that no statement can forget it, those of the version before too.
CREATE FUNCTION count_text() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  agent text;
  more bigint := 0;
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.counted_bytes IS NOT NULL THEN
    agent := agent_of_text(OLD);
    more := -OLD.counted_bytes;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.counted_bytes IS NOT NULL THEN
    agent := agent_of_text(NEW);
    more := more + NEW.counted_bytes;
  END IF;
  IF more <> 0 AND agent IS NOT NULL THEN
    INSERT INTO text_uses (agent_id, bytes) VALUES (agent, more);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER creation_revisions_measure BEFORE INSERT OR UPDATE OF payload, counted_bytes ON creation_revisions
  FOR EACH ROW EXECUTE FUNCTION measure_text();
CREATE TRIGGER creation_revisions_count AFTER INSERT OR DELETE OR UPDATE OF payload, counted_bytes ON creation_revisions
  FOR EACH ROW EXECUTE FUNCTION count_text();
CREATE TRIGGER profile_revisions_measure BEFORE INSERT OR UPDATE OF profile, counted_bytes ON profile_revisions
  FOR EACH ROW EXECUTE FUNCTION measure_text();
CREATE TRIGGER profile_revisions_count AFTER INSERT OR DELETE OR UPDATE OF profile, counted_bytes ON profile_revisions
  FOR EACH ROW EXECUTE FUNCTION count_text();
CREATE TRIGGER revision_charts_measure BEFORE INSERT OR UPDATE OF rows, counted_bytes ON revision_charts
  FOR EACH ROW EXECUTE FUNCTION measure_text();
CREATE TRIGGER revision_charts_count AFTER INSERT OR DELETE OR UPDATE OF rows, counted_bytes ON revision_charts
  FOR EACH ROW EXECUTE FUNCTION count_text();
CREATE TRIGGER revision_figures_measure BEFORE INSERT OR UPDATE OF value, counted_bytes ON revision_figures
  FOR EACH ROW EXECUTE FUNCTION measure_text();
CREATE TRIGGER revision_figures_count AFTER INSERT OR DELETE OR UPDATE OF value, counted_bytes ON revision_figures
  FOR EACH ROW EXECUTE FUNCTION count_text();
CREATE TRIGGER revision_files_measure BEFORE INSERT OR UPDATE OF dictionary, checks, counted_bytes ON revision_files
  FOR EACH ROW EXECUTE FUNCTION measure_text();
CREATE TRIGGER revision_files_count AFTER INSERT OR DELETE OR UPDATE OF dictionary, checks, counted_bytes
  ON revision_files FOR EACH ROW EXECUTE FUNCTION count_text();
CREATE TRIGGER drawings_measure BEFORE INSERT OR UPDATE OF html, counted_bytes ON drawings
  FOR EACH ROW EXECUTE FUNCTION measure_text();
CREATE TRIGGER drawings_count AFTER INSERT OR DELETE OR UPDATE OF html, counted_bytes ON drawings
  FOR EACH ROW EXECUTE FUNCTION count_text();
CREATE TRIGGER assets_measure BEFORE INSERT OR UPDATE OF inspection, tables, hints, stats, column_forms, reading_index,
  counted_bytes ON assets FOR EACH ROW EXECUTE FUNCTION measure_text();
CREATE TRIGGER assets_count AFTER INSERT OR DELETE OR UPDATE OF inspection, tables, hints, stats, column_forms,
  reading_index, counted_bytes ON assets FOR EACH ROW EXECUTE FUNCTION count_text();
CREATE TRIGGER parquet_files_measure BEFORE INSERT OR UPDATE OF counted_bytes ON parquet_files
  FOR EACH ROW EXECUTE FUNCTION measure_parquet();
CREATE TRIGGER parquet_files_count AFTER INSERT OR DELETE OR UPDATE OF counted_bytes ON parquet_files
  FOR EACH ROW EXECUTE FUNCTION count_text();

-- What a replaced draft kept of rows and drawings goes with it: nothing can be made of it again.
CREATE FUNCTION forget_replaced_draft() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM revision_charts d USING creation_revisions r
    WHERE d.revision_id = r.id AND r.id = OLD.latest_revision_id AND r.state <> 'published';
  DELETE FROM drawings d USING creation_revisions r
    WHERE d.revision_id = r.id AND r.id = OLD.latest_revision_id AND r.state <> 'published';
  RETURN NULL;
END $$;
CREATE TRIGGER creations_forget_replaced_draft AFTER UPDATE OF latest_revision_id ON creations
  FOR EACH ROW WHEN (OLD.latest_revision_id IS DISTINCT FROM NEW.latest_revision_id)
  EXECUTE FUNCTION forget_replaced_draft();
CREATE FUNCTION forget_replaced_profile() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM drawings d USING profile_revisions p
    WHERE d.revision_id = p.id AND p.id = OLD.latest_profile_id AND p.state <> 'published';
  RETURN NULL;
END $$;
CREATE TRIGGER agents_forget_replaced_profile AFTER UPDATE OF latest_profile_id ON agents
  FOR EACH ROW WHEN (OLD.latest_profile_id IS DISTINCT FROM NEW.latest_profile_id)
  EXECUTE FUNCTION forget_replaced_profile();

-- Counts rows of before, at most so many of each table, and returns how many it saw to. Kept rows of drafts that were
-- replaced before go first, so that none of them is counted; and drawings for nobody from before a time: who reads
-- their text has them drawn again.
CREATE FUNCTION count_texts_of_before(most integer, drawn_before timestamptz) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  some_table text;
  seen_to integer;
  more integer;
BEGIN
  DELETE FROM revision_charts WHERE counted_bytes IS NULL AND revision_id IN (
    SELECT r.id FROM revision_charts d JOIN creation_revisions r ON r.id = d.revision_id
      JOIN creations c ON c.id = r.creation_id
    WHERE d.counted_bytes IS NULL AND r.state <> 'published' AND r.id <> c.latest_revision_id LIMIT most);
  GET DIAGNOSTICS seen_to = ROW_COUNT;
  IF seen_to > 0 THEN RETURN seen_to; END IF;
  DELETE FROM drawings WHERE hash IN (
    SELECT d.hash FROM drawings d WHERE d.counted_bytes IS NULL AND d.drawn_at < drawn_before LIMIT most);
  GET DIAGNOSTICS seen_to = ROW_COUNT;
  FOREACH some_table IN ARRAY ARRAY['creation_revisions', 'profile_revisions', 'revision_charts', 'revision_figures',
    'revision_files', 'assets', 'parquet_files'] LOOP
    EXECUTE format('UPDATE %1$I SET counted_bytes = 0 WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM %1$I WHERE counted_bytes IS NULL LIMIT $1 FOR UPDATE SKIP LOCKED))', some_table) USING most;
    GET DIAGNOSTICS more = ROW_COUNT;
    seen_to := seen_to + more;
  END LOOP;
  RETURN seen_to;
END $$;
