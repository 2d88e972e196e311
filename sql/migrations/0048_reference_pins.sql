-- expand
-- The state of a work that another one refers to: what its author asked for, and what was live when the citing revision
-- went live. The rows of a target's revisions outlive its content, so a pin always finds its number and checksum.
ALTER TABLE revision_references
  -- as the payload names it; null where it names none
  ADD COLUMN asked_number integer CHECK (asked_number >= 1),
  -- set once, when the revision goes live; null for drafts, for closed targets and for revisions from before
  ADD COLUMN pinned_number integer CHECK (pinned_number >= 1),
  ADD CONSTRAINT revision_references_pin_check
    CHECK (pinned_number = asked_number OR asked_number IS NULL OR pinned_number IS NULL);

ALTER TABLE revision_references
  ADD CONSTRAINT revision_references_asked_fkey FOREIGN KEY (target_id, asked_number)
    REFERENCES creation_revisions (creation_id, revision_number) NOT VALID,
  ADD CONSTRAINT revision_references_pinned_fkey FOREIGN KEY (target_id, pinned_number)
    REFERENCES creation_revisions (creation_id, revision_number) NOT VALID;
ALTER TABLE revision_references VALIDATE CONSTRAINT revision_references_asked_fkey,
  VALIDATE CONSTRAINT revision_references_pinned_fkey;
