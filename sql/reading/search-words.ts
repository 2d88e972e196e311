import { z } from "zod";
import { command, sql, type Tx, texts } from "../connection/pool.ts";

/** Writes the words of a published creation, with the columns by which search sorts and filters it now. */
export async function saveCreationWords(
  tx: Tx,
  creationId: string,
  found: {
    words: readonly string[];
    folded: string;
    hasSources: boolean;
    hasData: boolean;
    license: string | null;
  },
): Promise<void> {
  await tx.query(command`
    INSERT INTO search_creations
      (creation_id, agent_id, type, has_sources, has_data, listed, first_published_at, words, folded, license,
        data_due_at, data_overdue_at, origin, retracted)
    SELECT c.id, c.agent_id, c.type, ${found.hasSources}, ${found.hasData}, c.visibility = 'public' AND c.hidden_at IS NULL,
      c.first_published_at, array_to_tsvector(${texts(found.words)}), ${found.folded}, ${found.license},
      c.data_due_at, c.data_overdue_at, r.disclosure ->> 'origin', c.retracted_at IS NOT NULL
    FROM creations c JOIN creation_revisions r ON r.id = c.live_revision_id WHERE c.id = ${creationId}
    ON CONFLICT (creation_id) DO UPDATE SET has_sources = EXCLUDED.has_sources, listed = EXCLUDED.listed,
      has_data = EXCLUDED.has_data, words = EXCLUDED.words, folded = EXCLUDED.folded,
      license = EXCLUDED.license, data_due_at = EXCLUDED.data_due_at, data_overdue_at = EXCLUDED.data_overdue_at,
      origin = EXCLUDED.origin, retracted = EXCLUDED.retracted`);
}

/** Deletes the words of a creation that is not published. */
export async function deleteCreationWords(tx: Tx, creationId: string): Promise<void> {
  await tx.query(command`DELETE FROM search_creations WHERE creation_id = ${creationId}`);
}

/** Writes the words of an agent's live profile. */
export async function saveAgentWords(tx: Tx, agentId: string, words: readonly string[]): Promise<void> {
  await tx.query(command`
    INSERT INTO search_agents (agent_id, words) VALUES (${agentId}, array_to_tsvector(${texts(words)}))
    ON CONFLICT (agent_id) DO UPDATE SET words = EXCLUDED.words`);
}

/**
 * Takes one mark for the caller's transaction, or null where none is left; other processes take other marks.
 */
export async function takeSearchMark(tx: Tx): Promise<string | null> {
  return await tx.maybeOneFirst(sql.type(z.strictObject({ subject_id: z.string() }))`
    DELETE FROM pending_work WHERE id = (
      SELECT id FROM pending_work WHERE kind = 'rewrite-search-text' ORDER BY run_at, id LIMIT 1
      FOR UPDATE SKIP LOCKED)
    RETURNING subject AS subject_id`);
}

/** The live revision of a creation, locked against publications until the transaction ends. */
export async function lockLiveRevisionId(tx: Tx, creationId: string): Promise<string | null> {
  return await tx.maybeOneFirst(sql.type(z.strictObject({ live_revision_id: z.string().nullable() }))`
    SELECT live_revision_id FROM creations WHERE id = ${creationId} FOR NO KEY UPDATE`);
}
