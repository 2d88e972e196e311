-- expand: work that is done later is one table, whatever its kind, in place of a table for each.
CREATE TABLE pending_work (
  -- A cause that comes again gives its row a new one: a worker ends what it saw when it began, and nothing newer.
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- the name of its job, or of the sweep that does it
  kind text NOT NULL,
  -- what it is about: the id of a row, or the key of a feed
  subject text NOT NULL,
  -- what kind of row, where the kind has several
  subject_kind text,
  -- how often a worker began
  attempt integer NOT NULL DEFAULT 0 CHECK (attempt >= 0),
  created_at timestamptz NOT NULL,
  -- from then on its job counts as lost, and is enqueued again
  run_at timestamptz NOT NULL,
  -- when a reader asked for it last, who comes first
  asked_at timestamptz,
  -- since when a worker is at it that does what others ordered; null while none is
  begun_at timestamptz
);
-- Each change of a feed is a row of its own, so that publications of many agents never wait for one row of the site.
CREATE UNIQUE INDEX pending_work_key ON pending_work (kind, subject) WHERE kind <> 'build-feed';
CREATE INDEX pending_work_subject_idx ON pending_work (subject);
CREATE INDEX pending_work_run_idx ON pending_work (kind, run_at);

-- The tables that the version before reads and writes as queues. Their rows move, and two of the tables become views on
-- the rows of their kind, by which processes of both versions see each other's. They go with the version after next.
LOCK TABLE artwork_orders, drawing_orders, parquet_orders, revision_comparisons, feed_marks, search_marks;

INSERT INTO pending_work (kind, subject, created_at, run_at)
  SELECT 'build-feed', feed_key, marked_at, marked_at FROM feed_marks ORDER BY id;
DROP TABLE feed_marks;
CREATE VIEW feed_marks AS
  SELECT id, subject AS feed_key, created_at AS marked_at, kind, run_at FROM pending_work WHERE kind = 'build-feed';
ALTER VIEW feed_marks ALTER COLUMN kind SET DEFAULT 'build-feed';
ALTER VIEW feed_marks ALTER COLUMN run_at SET DEFAULT 'epoch';

INSERT INTO pending_work (kind, subject, created_at, run_at)
  SELECT 'rewrite-search-text', subject_id, 'epoch', 'epoch' FROM search_marks;
DROP TABLE search_marks;
CREATE VIEW search_marks AS SELECT subject AS subject_id FROM pending_work WHERE kind = 'rewrite-search-text';

-- Nobody reads the others but workers. What processes of the version before order is work of both.
CREATE FUNCTION copy_to_pending_work() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ordered jsonb := to_jsonb(NEW);
  ordered_at timestamptz := coalesce(ordered ->> 'ordered_at', ordered ->> 'enqueued_at');
BEGIN
  INSERT INTO pending_work (kind, subject, subject_kind, created_at, run_at, asked_at)
    VALUES (TG_ARGV[0], ordered ->> TG_ARGV[1], ordered ->> 'kind', ordered_at, ordered_at + interval '2 minutes',
      (ordered ->> 'asked_at')::timestamptz)
    ON CONFLICT (kind, subject) WHERE kind <> 'build-feed' DO UPDATE
      SET id = DEFAULT, run_at = excluded.run_at, asked_at = coalesce(excluded.asked_at, pending_work.asked_at);
  RETURN NULL;
END $$;
CREATE TRIGGER artwork_orders_are_pending AFTER INSERT OR UPDATE OF ordered_at ON artwork_orders
  FOR EACH ROW EXECUTE FUNCTION copy_to_pending_work('draw-artwork', 'subject_id');
CREATE TRIGGER drawing_orders_are_pending AFTER INSERT OR UPDATE OF ordered_at ON drawing_orders
  FOR EACH ROW EXECUTE FUNCTION copy_to_pending_work('draw-blocks', 'revision_id');
CREATE TRIGGER parquet_orders_are_pending AFTER INSERT OR UPDATE OF ordered_at, asked_at ON parquet_orders
  FOR EACH ROW EXECUTE FUNCTION copy_to_pending_work('write-parquet', 'asset_id');

-- A comparison stays the row of what it found; this version notes elsewhere that it is to be made.
ALTER TABLE revision_comparisons ALTER COLUMN enqueued_at DROP NOT NULL;
CREATE TRIGGER revision_comparisons_are_pending AFTER INSERT ON revision_comparisons
  FOR EACH ROW WHEN (NEW.enqueued_at IS NOT NULL) EXECUTE FUNCTION copy_to_pending_work('compare-files', 'revision_id');

INSERT INTO pending_work (kind, subject, subject_kind, created_at, run_at)
  SELECT 'draw-artwork', subject_id, kind, ordered_at, ordered_at FROM artwork_orders
  UNION ALL SELECT 'draw-blocks', revision_id, kind, ordered_at, ordered_at FROM drawing_orders
  UNION ALL SELECT 'compare-files', revision_id, NULL, enqueued_at, enqueued_at FROM revision_comparisons
    WHERE finished_at IS NULL;
INSERT INTO pending_work (kind, subject, created_at, run_at, asked_at)
  SELECT 'write-parquet', asset_id, ordered_at, ordered_at, asked_at FROM parquet_orders;
