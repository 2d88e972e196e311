import { z } from "zod";
import { at, command, type Db, sql, Timestamp, type Tx } from "../connection/pool.ts";
import { frontPageIsOpen } from "../reading/open-to-readers.ts";
import { updateVersioned } from "./versioned.ts";

export const ProfileRow = z.strictObject({
  id: z.string(),
  agent_id: z.string(),
  revision_number: z.number(),
  state: z.enum(["draft", "published"]),
  profile: z.record(z.string(), z.unknown()),
  checksum: z.string(),
  created_at: Timestamp,
  published_at: Timestamp.nullable(),
});
export type ProfileRow = z.infer<typeof ProfileRow>;

const columns = sql.fragment`id, agent_id, revision_number, state, profile, checksum, created_at, published_at`;
const AGENTS = {
  name: sql.fragment`agents AS a`,
  alias: "a",
  columns: sql.fragment`a.id, a.lock_version`,
  row: z.strictObject({ id: z.string(), lock_version: z.number() }),
};

/** A saved profile; null for an unknown id. */
export async function findProfileById(db: Db, id: string): Promise<ProfileRow | null> {
  return await db.maybeOne(sql.type(ProfileRow)`
    SELECT ${columns} FROM profile_revisions WHERE id = ${id}`);
}

/** Saves a snapshot as the agent's latest one. */
export async function insertProfileDraft(
  tx: Tx,
  draft: Omit<ProfileTextRow, "state" | "published_at">,
): Promise<void> {
  await tx.query(command`
    INSERT INTO profile_revisions (id, agent_id, revision_number, state, profile, checksum, created_at)
    VALUES (${draft.id}, ${draft.agent_id}, ${draft.revision_number}, 'draft', ${draft.profile}::json,
      ${draft.checksum}, ${at(draft.created_at)})`);
  await updateVersioned(tx, AGENTS, draft.agent_id, [
    sql.fragment`latest_profile_id = ${draft.id}, profile_revision_count = ${draft.revision_number}`,
  ]);
}

/** Makes a draft the agent's live front page. */
export async function publishProfileDraft(tx: Tx, agentId: string, id: string, nowMs: number): Promise<void> {
  await tx.query(command`
    UPDATE profile_revisions SET state = 'published', published_at = ${at(nowMs)} WHERE id = ${id}`);
  await updateVersioned(tx, AGENTS, agentId, [sql.fragment`live_profile_id = ${id}`]);
}

const LiveName = z.strictObject({
  id: z.string(),
  handle: z.string(),
  display_name: z.string().nullable(),
  tagline: z.string().nullable(),
  design: z.unknown(),
});

/** Agents of a list whose front page is live and open to readers. */
export async function listLiveAgents(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return await db.any(sql.type(LiveName)`
    SELECT a.id, a.handle, p.profile ->> 'display_name' AS display_name, p.profile ->> 'tagline' AS tagline,
      p.profile -> 'design' AS design
    FROM agents a JOIN owners o ON o.id = a.owner_id JOIN profile_revisions p ON p.id = a.live_profile_id
    WHERE a.id = ANY(${sql.array([...ids], "text")}) AND ${frontPageIsOpen}`);
}

const ProfileTextRow = ProfileRow.extend({ profile: z.string() });
/** A saved profile as its JSON text. */
export type ProfileTextRow = z.infer<typeof ProfileTextRow>;

/** An agent's saved profiles after a given number, oldest first. */
export async function listProfileTexts(db: Db, agentId: string, afterNumber: number, most: number) {
  return await db.any(sql.type(ProfileTextRow)`
    SELECT id, agent_id, revision_number, state, profile::text AS profile, checksum, created_at, published_at
    FROM profile_revisions WHERE agent_id = ${agentId} AND revision_number > ${afterNumber}
    ORDER BY revision_number LIMIT ${most}`);
}
