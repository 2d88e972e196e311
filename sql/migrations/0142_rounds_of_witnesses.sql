-- expand: witnesses are asked in rounds, each about one checkpoint, so that as many as a quorum sign the same one.

-- The size of the checkpoint that witnesses are asked about; null until there are any.
ALTER TABLE logs ADD COLUMN asked_size bigint CHECK (asked_size >= 0);
UPDATE logs SET asked_size = 0 WHERE EXISTS (SELECT FROM log_witnesses);

-- The sequencer of the log asks them, with each checkpoint that it signs and every second.
DROP TRIGGER log_checkpoints_announce ON log_checkpoints;
DROP TRIGGER log_witnesses_announce ON log_witnesses;
