-- expand: the feed of a work's changes keeps each retraction and each reinstatement, not the last alone.
-- Those before the last, oldest first: {"at", "retracted", "reason"}. Erasing empties it.
ALTER TABLE creations ADD COLUMN retraction_marks jsonb NOT NULL DEFAULT '[]';
