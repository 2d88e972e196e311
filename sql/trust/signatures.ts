import { z } from "zod";
import { sql } from "../connection/pool.ts";

/** A signature of an agent over a revision, with the key that made it. */
export const Signature = z.strictObject({ kid: z.string(), sig: z.string() });
export type Signature = z.infer<typeof Signature>;

/**
 * The signature of the revision `r`, and whether it counts: its key has not ended, or ended later. Of both the entry in the
 * log says when; where there is no log, it is the time of the save.
 */
export const signatureColumns = sql.fragment`r.signature, r.signature IS NOT NULL AND EXISTS (
    SELECT FROM creations w JOIN agent_keys k ON k.agent_id = w.agent_id AND k.kid = r.signature ->> 'kid'
    WHERE w.id = r.creation_id AND (k.ended_at IS NULL OR CASE WHEN EXISTS (SELECT FROM logs)
      THEN EXISTS (SELECT FROM log_records l WHERE l.revision_id = r.id AND NOT EXISTS (
        SELECT FROM log_key_records e WHERE e.agent_id = k.agent_id AND k.kid = ANY(e.ended)
          AND (e.log_number, e.index) < (l.log_number, l.index)))
      ELSE r.created_at <= k.ended_at END)) AS signature_counts`;
