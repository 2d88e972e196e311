-- expand: tables that are written in another dialect are kept in the canonical one as well, which all that reads rows reads.

-- Every write holds its agent first: once no other does, nothing that holds one of these waits for another.
LOCK TABLE agents, assets;

-- The canonical form of a file, which the service makes of it. No reference: what was made of a file is deleted with its
-- bytes, and its row may go before.
CREATE TABLE canonical_files (
  asset_id text PRIMARY KEY CHECK (length(asset_id) = 26),
  -- under which the file store has it
  file_id text NOT NULL UNIQUE CHECK (length(file_id) = 26),
  bytes bigint NOT NULL CHECK (bytes >= 0),
  content_sha256 text NOT NULL CHECK (length(content_sha256) = 64)
);

-- How a file is written: what its sender named until the verdict, then what it was read by. Of one that was appended,
-- what its piece was read by. What the answer says of the reading: a plan, or what was refused beside the reason.
ALTER TABLE assets ADD COLUMN dialect json;
ALTER TABLE assets ADD COLUMN piece_dialect json;
ALTER TABLE assets ADD COLUMN reading json;

-- JSON Lines are kept as sent, and read as the list of their objects.
ALTER TABLE assets DROP CONSTRAINT assets_format_check;
ALTER TABLE assets ADD CONSTRAINT assets_format_check CHECK (format IN ('csv', 'json', 'jsonl', 'txt', 'md'));
ALTER TABLE assets DROP CONSTRAINT assets_check2;
ALTER TABLE assets ADD CONSTRAINT assets_check2 CHECK ((format IN ('csv', 'json', 'jsonl')) = (kind = 'dataset'));

CREATE OR REPLACE FUNCTION bytes_of_text(r assets) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(octet_length(r.inspection::text), 0) + coalesce(octet_length(r.tables::text), 0)
    + coalesce(octet_length(r.hints::text), 0) + coalesce(octet_length(r.stats::text), 0)
    + coalesce(octet_length(r.column_forms::text), 0) + coalesce(octet_length(r.reading_index), 0)
    + coalesce(octet_length(r.dialect::text), 0) + coalesce(octet_length(r.piece_dialect::text), 0)
    + coalesce(octet_length(r.reading::text), 0)
$$;
CREATE OR REPLACE TRIGGER assets_measure BEFORE INSERT OR UPDATE OF inspection, tables, hints, stats, column_forms,
  reading_index, dialect, piece_dialect, reading, counted_bytes ON assets FOR EACH ROW EXECUTE FUNCTION measure_text();
CREATE OR REPLACE TRIGGER assets_count AFTER INSERT OR DELETE OR UPDATE OF inspection, tables, hints, stats,
  column_forms, reading_index, dialect, piece_dialect, reading, counted_bytes ON assets
  FOR EACH ROW EXECUTE FUNCTION count_text();

-- Data that are read alike are the same data.
CREATE OR REPLACE FUNCTION hash_of_data(revision text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(convert_to(string_agg(h.sha256, ',' ORDER BY h.sha256), 'UTF8')), 'hex')
  FROM (
    SELECT coalesce(k.content_sha256, s.content_sha256) AS sha256
    FROM revision_files f JOIN assets s ON s.id = f.asset_id LEFT JOIN canonical_files k ON k.asset_id = s.id
    WHERE f.revision_id = revision) h
$$;
