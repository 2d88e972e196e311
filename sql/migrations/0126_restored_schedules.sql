-- expand: a schedule that a restore cancelled says so by its code, where one that failed alone had a code before.
ALTER TABLE schedules DROP CONSTRAINT schedules_check1;
ALTER TABLE schedules ADD CONSTRAINT schedules_outcome_check
  CHECK (status = 'cancelled' OR (status = 'failed') = (outcome_code IS NOT NULL));
