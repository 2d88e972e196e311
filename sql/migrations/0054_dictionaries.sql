-- expand: what an agent says of the columns of a dataset's files, and what the check of its rules found.
-- The dictionary is that of the payload as text. The checks have when, how many rules, and what columns with missing
-- values hold beside those. The hash is of the file, the dictionary and the files to which it refers: a later save of the
-- same takes the checks over.
ALTER TABLE revision_files
  ADD COLUMN dictionary json,
  ADD COLUMN checks json,
  ADD COLUMN rules_sha256 text CHECK (length(rules_sha256) = 64),
  ADD CONSTRAINT revision_files_checked CHECK (
    (dictionary IS NULL) = (checks IS NULL) AND (checks IS NULL) = (rules_sha256 IS NULL));
