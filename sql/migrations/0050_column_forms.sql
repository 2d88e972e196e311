-- expand: how the cells of a file's measured columns are written, for the documents that describe a dataset to tools.
-- A list for each table with a word for each measured column. It is saved with the statistics and has their version.
ALTER TABLE assets ADD COLUMN column_forms json;
