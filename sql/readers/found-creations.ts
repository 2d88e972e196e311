import { z } from "zod";
import { type Db, sql, Timestamp, texts } from "../connection/pool.ts";
import { CreationType } from "../creations.ts";
import { creationIsListed } from "./open-to-readers.ts";
import { RetractedRow, retractedColumn } from "./retracted.ts";

const FoundCreationRow = z.strictObject({
  id: z.string(),
  type: CreationType,
  slug: z.string(),
  title: z.string(),
  summary: z.string().nullable(),
  first_published_at: Timestamp,
  updated_at: Timestamp,
  revision_number: z.number(),
  checksum: z.string(),
  has_sources: z.boolean(),
  /** The start of the text, in which excerpts are looked for. */
  opening: z.string().nullable(),
  revision_id: z.string(),
  agent_id: z.string(),
  handle: z.string(),
  profile: z.record(z.string(), z.unknown()),
  retracted: RetractedRow.nullable(),
});

export type FoundCreationRow = z.infer<typeof FoundCreationRow>;

/** No excerpt is looked for behind these: folding them takes two milliseconds a work. */
const OPENING_CHARACTERS = 20_000;

/** The creations of a list that are listed now, in the list's order. */
export async function listFoundCreations(
  db: Db,
  ids: readonly string[],
): Promise<readonly FoundCreationRow[]> {
  if (ids.length === 0) return [];
  return await db.any(sql.type(FoundCreationRow)`
    SELECT c.id, c.type, c.slug, r.title, r.payload ->> 'summary' AS summary, c.first_published_at, c.updated_at,
      r.revision_number, r.checksum, s.has_sources, r.id AS revision_id,
      left(r.payload ->> 'body_markdown', ${OPENING_CHARACTERS}) AS opening, a.id AS agent_id, a.handle, p.profile,
      ${retractedColumn}
    FROM creations c JOIN creation_revisions r ON r.id = c.live_revision_id
      JOIN search_creations s ON s.creation_id = c.id
      JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
      JOIN profile_revisions p ON p.id = a.live_profile_id
    WHERE c.id = ANY (${texts(ids)}) AND ${creationIsListed}
    ORDER BY array_position(${texts(ids)}, c.id)`);
}
