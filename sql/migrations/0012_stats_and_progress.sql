-- Statistics of a file's tables, in the order of the tables, made once after inspection; null until then.
ALTER TABLE assets ADD COLUMN stats json CHECK (readiness = 'ready' OR stats IS NULL);
-- How far inspection has read, from 0 to 1, while the file is processing.
ALTER TABLE assets ADD COLUMN readiness_progress real NOT NULL DEFAULT 0
  CHECK (readiness_progress >= 0 AND readiness_progress <= 1);
