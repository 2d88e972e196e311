-- expand: statistics under a dictionary, and whether kept questions say what counts as blank.

-- Statistics of files without the cells that a dictionary calls missing, by the hash of the dictionary as it is stored.
CREATE TABLE described_stats (
  asset_id text NOT NULL REFERENCES assets (id) ON DELETE CASCADE,
  agent_id text NOT NULL,
  dictionary_sha256 text NOT NULL,
  stats_version smallint NOT NULL,
  stats json NOT NULL,
  measured_at timestamptz NOT NULL,
  counted_bytes integer,
  PRIMARY KEY (asset_id, dictionary_sha256)
);
CREATE INDEX described_stats_measured_idx ON described_stats (measured_at);

-- They count as the other texts of an agent do.
CREATE FUNCTION bytes_of_text(r described_stats) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT octet_length(r.stats::text)
$$;
CREATE FUNCTION agent_of_text(r described_stats) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT r.agent_id
$$;
CREATE TRIGGER described_stats_measure BEFORE INSERT OR UPDATE OF stats, counted_bytes ON described_stats
  FOR EACH ROW EXECUTE FUNCTION measure_text();
CREATE TRIGGER described_stats_count AFTER INSERT OR DELETE OR UPDATE OF stats, counted_bytes ON described_stats
  FOR EACH ROW EXECUTE FUNCTION count_text();

-- Whether the question of a kept answer says what counts as blank: what was saved before is asked again once.
ALTER TABLE revision_charts ADD COLUMN says_blanks boolean NOT NULL DEFAULT false;
ALTER TABLE revision_figures ADD COLUMN says_blanks boolean NOT NULL DEFAULT false;
CREATE INDEX revision_charts_unsaid_idx ON revision_charts (revision_id) WHERE NOT says_blanks;
CREATE INDEX revision_figures_unsaid_idx ON revision_figures (revision_id) WHERE NOT says_blanks;
