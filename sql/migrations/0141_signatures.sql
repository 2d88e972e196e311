-- expand: signatures of agents over their revisions.

-- kid and sig; null where it is unsigned, and once the content is removed. The version before writes none.
ALTER TABLE creation_revisions ADD COLUMN signature jsonb;
