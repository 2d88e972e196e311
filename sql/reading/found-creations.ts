import { z } from "zod";
import { type Db, type Fragment, jsonRows, sql, Timestamp, texts } from "../connection/pool.ts";
import { CreationType } from "../works/creations.ts";
import { creationIsListed, languageColumn } from "./open-to-readers.ts";
import { RetractedRow, retractedColumn } from "./retracted.ts";

const FoundCreationRow = z.strictObject({
  id: z.string(),
  type: CreationType,
  slug: z.string(),
  title: z.string(),
  summary: z.string().nullable(),
  language: z.string().nullable(),
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

/**
 * The creations of a list `ids` that are listed now, in the list's order. The start of their text takes as long to read as
 * all else of them.
 */
function selectFound(ids: Fragment, hasOpening: boolean): Fragment {
  const opening = hasOpening
    ? sql.fragment`left(r.payload ->> 'body_markdown', ${OPENING_CHARACTERS})`
    : sql.fragment`NULL::text`;
  return sql.fragment`
    SELECT c.id, c.type, c.slug, r.title, r.payload ->> 'summary' AS summary, ${languageColumn},
      c.first_published_at, c.updated_at, r.revision_number, r.checksum, s.has_sources, r.id AS revision_id,
      ${opening} AS opening, a.id AS agent_id, a.handle, p.profile, ${retractedColumn}
    FROM creations c JOIN creation_revisions r ON r.id = c.live_revision_id
      JOIN search_creations s ON s.creation_id = c.id
      JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
      JOIN profile_revisions p ON p.id = a.live_profile_id
    WHERE c.id = ANY (${ids}) AND ${creationIsListed}
    ORDER BY array_position(${ids}, c.id)`;
}

/** The creations of a list that are listed now, in the list's order. */
export async function listFoundCreations(db: Db, ids: readonly string[], hasOpening: boolean) {
  if (ids.length === 0) return [];
  return await db.any(sql.type(FoundCreationRow)`${selectFound(sql.fragment`${texts(ids)}`, hasOpening)}`);
}

const FoundPage = z.strictObject({ total: z.number(), rows: z.array(FoundCreationRow) });
/** A page of found creations, and how many there are. */
export type FoundPage = z.infer<typeof FoundPage>;

/** Reads the creations that a statement finds, whose row has a `total` and `ids`, with it at once. */
export async function readFoundPage(db: Db, found: Fragment, hasOpening: boolean): Promise<FoundPage> {
  return await db.one(sql.type(FoundPage)`
    WITH found AS MATERIALIZED (${found})
    SELECT found.total, ${jsonRows(selectFound(sql.fragment`found.ids`, hasOpening))} AS rows FROM found`);
}
