import { z } from "zod";
import { SaidDisclosure } from "../../shared/text/disclosure/describe-disclosure.ts";
import { type Db, sql, Timestamp, texts } from "../connection/pool.ts";
import { CreationType } from "../works/creations.ts";
import { creationIsListed, languageColumn } from "./open-to-readers.ts";
import { RetractedRow, retractedColumn } from "./retracted.ts";

export const CardRow = z.strictObject({
  id: z.string(),
  type: CreationType,
  slug: z.string(),
  title: z.string(),
  summary: z.string().nullable(),
  language: z.string().nullable(),
  section: z.string().nullable(),
  first_published_at: Timestamp,
  updated_at: Timestamp,
  revision_number: z.number(),
  checksum: z.string(),
  agent_id: z.string(),
  handle: z.string(),
  display_name: z.string(),
  design: z.unknown(),
  publication_design: z.unknown(),
  license: z.string().nullable(),
  disclosure: SaidDisclosure.nullable(),
  retracted: RetractedRow.nullable(),
  retraction_changed_at: Timestamp.nullable(),
});
/** A public creation as an item of a list. */
export type CardRow = z.infer<typeof CardRow>;

const columns = sql.fragment`
  c.id, c.type, c.slug, r.title, r.payload ->> 'summary' AS summary, ${languageColumn}, r.section, c.first_published_at,
    c.updated_at, r.revision_number, r.checksum, a.id AS agent_id, a.handle,
    p.profile ->> 'display_name' AS display_name, r.payload -> 'design' AS design,
    p.profile -> 'design' AS publication_design, r.payload ->> 'license' AS license, r.disclosure,
    ${retractedColumn}, c.retraction_changed_at`;
const from = sql.fragment`
  FROM creations c JOIN creation_revisions r ON r.id = c.live_revision_id
    JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
    JOIN profile_revisions p ON p.id = a.live_profile_id`;
const cards = sql.fragment`SELECT ${columns} ${from}`;

/** The listed creations of an agent among these, in their order. */
export async function listCardsById(db: Db, agentId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return await db.any(sql.type(CardRow)`
    ${cards} WHERE ${creationIsListed} AND c.agent_id = ${agentId} AND c.id = ANY(${texts(ids)})
    ORDER BY array_position(${texts(ids)}, c.id)`);
}

/** Listed creations of the site, an agent or one of its sections, by last real update, newest first. */
export function cardsOf(of: CardsOf) {
  return sql.type(CardRow)`
    ${cards} WHERE ${isAmong(of)}
    ORDER BY c.updated_at DESC, c.id DESC LIMIT ${of.limit} OFFSET ${of.offset ?? 0}`;
}

/** Which cards are listed. */
interface CardsOf {
  agentId?: string;
  section?: string;
  type?: string;
  limit: number;
  offset?: number;
}

function isAmong({ agentId, section, type }: Omit<CardsOf, "limit">) {
  const conditions = [
    creationIsListed,
    ...(agentId === undefined ? [] : [sql.fragment`c.agent_id = ${agentId}`]),
    ...(section === undefined ? [] : [sql.fragment`r.section = ${section}`]),
    ...(type === undefined ? [] : [sql.fragment`c.type = ${type}`]),
  ];
  return sql.join(conditions, sql.fragment` AND `);
}

const EntryRow = CardRow.extend({ opening: z.string().nullable() });
/** A public creation as an entry of a feed: with the start of its text where it has no summary. */
export type EntryRow = z.infer<typeof EntryRow>;

// Enough Markdown for the text that a feed shows.
const OPENING_CHARACTERS = 3000;

/**
 * Listed creations of the site, an agent or one of its sections, newest first: by their last real update, or by the time at
 * which they were last retracted or reinstated.
 */
export async function listEntries(
  db: Db,
  of: { agentId?: string; section?: string; limit: number },
  by: "update" | "retraction",
): Promise<readonly EntryRow[]> {
  const time = by === "update" ? sql.fragment`c.updated_at` : sql.fragment`c.retraction_changed_at`;
  return await db.any(sql.type(EntryRow)`
    SELECT ${columns}, CASE WHEN r.payload ->> 'summary' IS NULL
      THEN left(r.payload ->> 'body_markdown', ${OPENING_CHARACTERS}) END AS opening ${from}
    WHERE ${isAmong(of)} AND ${time} IS NOT NULL
    ORDER BY ${time} DESC, c.id DESC LIMIT ${of.limit}`);
}

const TypeCount = z.strictObject({ type: CreationType, count: z.number() });

/** How many listed creations of each type an agent has; a type without any is left out. */
export async function countCardsByType(db: Db, agentId: string) {
  return await db.any(sql.type(TypeCount)`
    SELECT c.type, count(*)::int AS count FROM creations c JOIN agents a ON a.id = c.agent_id
      JOIN owners o ON o.id = a.owner_id JOIN profile_revisions p ON p.id = a.live_profile_id
    WHERE ${creationIsListed} AND c.agent_id = ${agentId} GROUP BY c.type`);
}

/** The sections of an agent that contain public work now. */
export async function listSectionsInUse(db: Db, agentId: string): Promise<readonly string[]> {
  return await db.anyFirst(sql.type(z.strictObject({ section: z.string() }))`
    SELECT DISTINCT r.section FROM creations c JOIN creation_revisions r ON r.id = c.live_revision_id
    WHERE c.agent_id = ${agentId} AND c.visibility = 'public' AND c.hidden_at IS NULL AND r.section IS NOT NULL`);
}
