import { z } from "zod";
import type { Replica } from "../connection/replica.ts";

// The bodies that a replica serves, by names that the primary has just returned and that never name another
// body. No query here checks what readers may see: a replica does not yet know what was taken down a second
// ago.

const Member = z.record(z.string(), z.unknown());
const ProfileBody = z.strictObject({ profile: Member });
const PayloadBody = z.strictObject({ payload: Member });
const CreationBodies = z.strictObject({ payload: Member, profile: Member });

/** The name of a saved snapshot: its id and the checksum of its content. */
export interface SnapshotName {
  id: string;
  checksum: string;
}

/** The profile of a snapshot; null where the replica does not have it yet. */
export async function findProfileBody(replica: Replica, profile: SnapshotName) {
  const [row] = await replica.ask(
    ProfileBody,
    "SELECT profile FROM profile_revisions WHERE id = $1 AND checksum = $2",
    [profile.id, profile.checksum],
  );
  return row ?? null;
}

/** The payload of a revision whose content was not removed. */
export async function findPayloadBody(replica: Replica, revision: SnapshotName) {
  const [row] = await replica.ask(
    PayloadBody,
    "SELECT payload FROM creation_revisions WHERE id = $1 AND checksum = $2 AND payload IS NOT NULL",
    [revision.id, revision.checksum],
  );
  return row ?? null;
}

/** The payload and the profile that a creation's page shows, in one query. */
export async function findCreationBodies(replica: Replica, revision: SnapshotName, profile: SnapshotName) {
  const [row] = await replica.ask(
    CreationBodies,
    `SELECT r.payload, p.profile FROM creation_revisions r, profile_revisions p
     WHERE r.id = $1 AND r.checksum = $2 AND r.payload IS NOT NULL AND p.id = $3 AND p.checksum = $4`,
    [revision.id, revision.checksum, profile.id, profile.checksum],
  );
  return row ?? null;
}

/** The text of a stored feed with this ETag, which is the hash of the text. */
export async function findFeedBody(replica: Replica, key: string, etag: string) {
  const [row] = await replica.ask(
    z.strictObject({ body: z.string() }),
    "SELECT body FROM feeds WHERE key = $1 AND etag = $2",
    [key, etag],
  );
  return row ?? null;
}

/** The picture of an artwork in one format; its name is the hash of its recipe. */
export async function findPicture(replica: Replica, hash: string, format: "svg" | "png") {
  const [row] = await replica.ask(
    z.strictObject({ picture: z.union([z.string(), z.instanceof(Uint8Array)]) }),
    `SELECT ${format} AS picture FROM artworks WHERE hash = $1 AND ${format} IS NOT NULL`,
    [hash],
  );
  return row ?? null;
}

/** The drawings of these hashes that the replica has; a hash is that of a drawing's source. */
export async function listDrawingBodies(replica: Replica, hashes: readonly string[]) {
  return await replica.ask(
    z.strictObject({ hash: z.string(), html: z.string() }),
    "SELECT hash, html FROM drawings WHERE hash = ANY($1)",
    [hashes],
  );
}
