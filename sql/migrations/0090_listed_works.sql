-- expand: the listed works of the agents that chose a topic are counted in an index, without a look at their rows.
CREATE INDEX search_creations_publisher_idx ON search_creations (agent_id) WHERE listed;
