-- expand: announcements of rows that a sequencer is to work off.
-- A trigger of an outbox calls this with the name of its sequencer. The announcement is made with the commit of the
-- rows, without a round trip of its own, and is lost with them.
CREATE FUNCTION announce_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('outbox', TG_ARGV[0]);
  RETURN NULL;
END $$;
