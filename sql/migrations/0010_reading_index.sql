-- Where the rows of a file's tables stand, as inspection noted it; null for files inspected before, and for texts.
ALTER TABLE assets ADD COLUMN reading_index bytea;
