-- expand: the listed works of the agents that chose a topic are counted in an index, without a look at their rows. The
-- index is not one of listed works alone: PostgreSQL would take such a one for any search, and test words row by row.
CREATE INDEX search_creations_publisher_idx ON search_creations (agent_id) INCLUDE (listed);
