import { z } from "zod";
import { sql, Timestamp } from "../connection/pool.ts";
import { creationIsOpen } from "./open-to-readers.ts";

/** Who takes a work back. */
export const RetractedBy = z.enum(["agent", "owner"]);

/** The mark of a retracted work; `successor` is null where none is named, and where nobody can open it. */
export const RetractedRow = z.strictObject({
  at: Timestamp,
  by: RetractedBy,
  reason: z.string(),
  successor: z
    .strictObject({ id: z.string(), title: z.string(), handle: z.string(), slug: z.string() })
    .nullable(),
});
export type RetractedRow = z.infer<typeof RetractedRow>;

// The alias `c` inside is the work that supersedes; the one of the statement is read before it, in a row of its own.
const successor = sql.fragment`(
  SELECT json_build_object('id', c.id, 'title', r.title, 'handle', a.handle, 'slug', c.slug)
  FROM (SELECT c.superseded_by AS id) AS named JOIN creations c ON c.id = named.id
    JOIN creation_revisions r ON r.id = c.live_revision_id
    JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
  WHERE ${creationIsOpen})`;

/** The mark of the creation `c` of a statement, as one column; null for a work that is not retracted. */
export const retractedColumn = sql.fragment`
  CASE WHEN c.retracted_at IS NOT NULL THEN json_build_object(
    'at', floor(extract(epoch FROM c.retracted_at) * 1000)::float8, 'by', c.retracted_by,
    'reason', c.retracted_reason, 'successor', ${successor}) END AS retracted`;
