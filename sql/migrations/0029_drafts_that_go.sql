-- A draft that goes is looked for in every table that may name it.
CREATE INDEX schedules_revision_idx ON schedules (revision_id);
CREATE INDEX artworks_creation_idx ON artworks (creation_id);
CREATE INDEX reports_creation_idx ON reports (creation_id);
