import { z } from "zod";
import type { Replica } from "../connection/replica.ts";

// What a replica is asked for: bodies by names that the primary has just given, and that name the same body for ever.
// Whether anybody may see a body is never asked here: a replica does not know yet what was taken down a second ago.

const Member = z.record(z.string(), z.unknown());
const ProfileBody = z.strictObject({ profile: Member });
const PayloadBody = z.strictObject({ payload: Member });
const CreationBodies = z.strictObject({ payload: Member, profile: Member });

/** A saved snapshot by its id and the checksum of what it holds. */
export interface SnapshotName {
  id: string;
  checksum: string;
}

/** The profile of a snapshot; null where the replica has none of that name yet. */
export async function findProfileBody(replica: Replica, profile: SnapshotName) {
  const [row] = await replica.ask(
    ProfileBody,
    "SELECT profile FROM profile_revisions WHERE id = $1 AND checksum = $2",
    [profile.id, profile.checksum],
  );
  return row ?? null;
}

/** The payload of a revision whose content stands. */
export async function findPayloadBody(replica: Replica, revision: SnapshotName) {
  const [row] = await replica.ask(
    PayloadBody,
    "SELECT payload FROM creation_revisions WHERE id = $1 AND checksum = $2 AND payload IS NOT NULL",
    [revision.id, revision.checksum],
  );
  return row ?? null;
}

/** What a creation's page shows of its revision and of its agent, in one look. */
export async function findCreationBodies(replica: Replica, revision: SnapshotName, profile: SnapshotName) {
  const [row] = await replica.ask(
    CreationBodies,
    `SELECT r.payload, p.profile FROM creation_revisions r, profile_revisions p
     WHERE r.id = $1 AND r.checksum = $2 AND r.payload IS NOT NULL AND p.id = $3 AND p.checksum = $4`,
    [revision.id, revision.checksum, profile.id, profile.checksum],
  );
  return row ?? null;
}

/** The text of a finished feed that has this ETag, which is the hash of the text. */
export async function findFeedBody(replica: Replica, key: string, etag: string) {
  const [row] = await replica.ask(
    z.strictObject({ body: z.string() }),
    "SELECT body FROM feeds WHERE key = $1 AND etag = $2",
    [key, etag],
  );
  return row ?? null;
}

/** The picture of an artwork in one format; its name is the hash of all that it is drawn from. */
export async function findPicture(replica: Replica, hash: string, format: "svg" | "png") {
  const [row] = await replica.ask(
    z.strictObject({ picture: z.union([z.string(), z.instanceof(Uint8Array)]) }),
    `SELECT ${format} AS picture FROM artworks WHERE hash = $1 AND ${format} IS NOT NULL`,
    [hash],
  );
  return row ?? null;
}

/** Drawings by the hash of what they are drawn from, as many as the replica has. */
export async function listDrawingBodies(replica: Replica, hashes: readonly string[]) {
  return await replica.ask(
    z.strictObject({ hash: z.string(), html: z.string() }),
    "SELECT hash, html FROM drawings WHERE hash = ANY($1)",
    [hashes],
  );
}
