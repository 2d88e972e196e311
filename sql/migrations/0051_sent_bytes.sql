-- expand: what an upload that came compressed had on its way; null for one that came as it is stored.
ALTER TABLE assets ADD COLUMN sent_bytes bigint CHECK (sent_bytes > 0);
