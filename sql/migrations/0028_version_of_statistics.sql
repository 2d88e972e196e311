-- The form of the stored statistics: a process measures a file again whose statistics have an older one. The processes
-- of the version before know no forms, so what they store has the first.
ALTER TABLE assets ADD COLUMN stats_version smallint NOT NULL DEFAULT 1;
