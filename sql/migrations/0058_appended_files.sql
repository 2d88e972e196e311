-- expand: the file that an upload was appended to, where its own rows begin and how many they are.
-- No foreign key: what was done stays known when the base is deleted.
ALTER TABLE assets
  ADD COLUMN appended_to_asset_id text CHECK (length(appended_to_asset_id) = 26),
  ADD COLUMN appended_from bigint CHECK (appended_from > 0),
  ADD COLUMN rows_added integer CHECK (rows_added >= 0),
  ADD CHECK ((appended_to_asset_id IS NULL) = (appended_from IS NULL)),
  ADD CHECK (rows_added IS NULL OR appended_to_asset_id IS NOT NULL);
