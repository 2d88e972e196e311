/** The agents for whom other bytes are counted than their texts take, and what is made of texts and files. */
export const WRONG_TEXT_USES = `
  WITH revisions AS (
    SELECT r.id, c.agent_id FROM creation_revisions r JOIN creations c ON c.id = r.creation_id
    UNION ALL SELECT id, agent_id FROM profile_revisions
  ), made AS (
    SELECT id AS revision_id, octet_length(payload::text) AS bytes FROM creation_revisions
    UNION ALL SELECT id, octet_length(profile::text) FROM profile_revisions
    UNION ALL SELECT revision_id, octet_length(concat(question, rows)) FROM revision_charts
    UNION ALL SELECT revision_id, octet_length(concat(question, value)) FROM revision_figures
    UNION ALL SELECT revision_id, octet_length(concat(dictionary, checks)) FROM revision_files
    UNION ALL SELECT revision_id, octet_length(html) FROM drawings
  ), kept AS (
    SELECT r.agent_id, m.bytes FROM made m JOIN revisions r ON r.id = m.revision_id
    UNION ALL SELECT agent_id, octet_length(concat(inspection, tables, hints, stats, column_forms))
      + coalesce(octet_length(reading_index), 0) FROM assets
    UNION ALL SELECT agent_id, octet_length(stats::text) FROM described_stats
    UNION ALL SELECT s.agent_id, p.bytes FROM parquet_files p JOIN assets s ON s.id = p.asset_id
    UNION ALL SELECT agent_id, -bytes FROM text_uses
  )
  SELECT agent_id, sum(bytes) FROM kept GROUP BY 1 HAVING sum(bytes) <> 0`;
