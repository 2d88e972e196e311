-- expand: the tables of files as Parquet files, which a worker makes once of each file, and the files that wait for it.
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

-- The form of the Parquet files of a file, as many as there are, as of none; 0 until a worker has made or refused them.
ALTER TABLE assets ADD COLUMN parquet_version smallint NOT NULL DEFAULT 0 CHECK (parquet_version >= 0);
CREATE INDEX assets_parquet_idx ON assets (parquet_version, id)
  WHERE kind = 'dataset' AND readiness = 'ready' AND file_deleted_at IS NULL;
