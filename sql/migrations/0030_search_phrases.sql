-- What phrases are looked for in: the folded words of title, summary, each block of text, each label and each column,
-- one line each. Null until the work is indexed anew; until then a phrase is its words. Wide texts stay out of the row.
ALTER TABLE search_creations ADD COLUMN folded text;
-- Whether one of its files has columns; null as above.
ALTER TABLE search_creations ADD COLUMN has_data boolean;

-- The sweep writes every work anew, one by one: the names of columns have lexemes of their own now.
INSERT INTO search_marks (subject_id) SELECT creation_id FROM search_creations ON CONFLICT DO NOTHING;
