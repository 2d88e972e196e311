-- expand: newer indexes answer what these did.
DROP INDEX search_creations_words_idx;
DROP INDEX search_creations_agent_idx;
