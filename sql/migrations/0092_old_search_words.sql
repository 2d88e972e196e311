-- expand: the index of words with times answers what the one of words alone did.
DROP INDEX search_creations_words_idx;
