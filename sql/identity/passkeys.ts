import { z } from "zod";
import { at, command, type Db, sql, Timestamp, type Tx, texts } from "../connection/pool.ts";

const PasskeyRow = z.strictObject({
  id: z.string(),
  owner_id: z.string(),
  credential_id: z.string(),
  public_key: z.instanceof(Uint8Array),
  counter: z.number(),
  transports: z.array(z.string()),
  name: z.string(),
  created_at: Timestamp,
  last_used_at: Timestamp.nullable(),
});
/** A passkey: its public half, and its owner's name for it. */
export type PasskeyRow = z.infer<typeof PasskeyRow>;

const columns = sql.fragment`
  id, owner_id, credential_id, public_key, counter, transports, name, created_at, last_used_at`;

/** Adds a passkey; false where it is there already. */
export async function insertPasskey(tx: Tx, passkey: Omit<PasskeyRow, "last_used_at">): Promise<boolean> {
  const { rowCount } = await tx.query(command`
    INSERT INTO passkeys (id, owner_id, credential_id, public_key, counter, transports, name, created_at)
    VALUES (${passkey.id}, ${passkey.owner_id}, ${passkey.credential_id},
      ${sql.binary(Buffer.from(passkey.public_key))}, ${passkey.counter}, ${texts(passkey.transports)},
      ${passkey.name}, ${at(passkey.created_at)})
    ON CONFLICT (credential_id) DO NOTHING`);
  return rowCount > 0;
}

/** The passkeys of an owner. */
export async function listPasskeysOfOwner(db: Db, ownerId: string): Promise<readonly PasskeyRow[]> {
  return await db.any(sql.type(PasskeyRow)`
    SELECT ${columns} FROM passkeys WHERE owner_id = ${ownerId} ORDER BY created_at DESC, id DESC`);
}

/** A passkey by its credential id. */
export async function findPasskeyByCredential(db: Db, credentialId: string): Promise<PasskeyRow | null> {
  return await db.maybeOne(sql.type(PasskeyRow)`
    SELECT ${columns} FROM passkeys WHERE credential_id = ${credentialId}`);
}

/** Records the use of a passkey with its counter. */
export async function markPasskeyUsed(tx: Tx, id: string, counter: number, nowMs: number): Promise<void> {
  await tx.query(command`
    UPDATE passkeys SET counter = ${counter}, last_used_at = ${at(nowMs)} WHERE id = ${id}`);
}

/** Renames a passkey of an owner; false where there is none. */
export async function renamePasskey(tx: Tx, ownerId: string, id: string, name: string): Promise<boolean> {
  const { rowCount } = await tx.query(command`
    UPDATE passkeys SET name = ${name} WHERE id = ${id} AND owner_id = ${ownerId}`);
  return rowCount > 0;
}

/** Removes a passkey, of one owner where one is named; false where there is none. */
export async function deletePasskey(tx: Tx, ownerId: string | null, id: string): Promise<boolean> {
  const own = ownerId === null ? sql.fragment`true` : sql.fragment`owner_id = ${ownerId}`;
  return (await tx.query(command`DELETE FROM passkeys WHERE id = ${id} AND ${own}`)).rowCount > 0;
}

/** Stores a challenge until it is answered. */
export async function insertChallenge(
  db: Db,
  challenge: { challenge: string; ownerId: string | null; expiresMs: number },
): Promise<void> {
  await db.query(command`
    INSERT INTO passkey_challenges (challenge, owner_id, expires_at)
    VALUES (${challenge.challenge}, ${challenge.ownerId}, ${at(challenge.expiresMs)})`);
}

/** Uses a challenge up; false unless it was for this owner, or for nobody in particular (null). */
export async function takeChallenge(db: Db, challenge: string, ownerId: string | null, nowMs: number) {
  const { rowCount } = await db.query(command`
    DELETE FROM passkey_challenges
    WHERE challenge = ${challenge} AND owner_id IS NOT DISTINCT FROM ${ownerId} AND expires_at > ${at(nowMs)}`);
  return rowCount > 0;
}
