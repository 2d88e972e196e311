import { z } from "zod";
import { at, Count, command, type Db, sql, Timestamp, type Tx } from "../connection/pool.ts";
import { isValidToken } from "../identity/tokens.ts";

const UploadAddressRow = z.strictObject({
  id: z.string(),
  token_id: z.string(),
  secret_hash: z.string(),
  filename: z.string(),
  expires_at: Timestamp,
});
/** An address that takes one file without a token. */
export type UploadAddressRow = z.infer<typeof UploadAddressRow>;

/** Adds an address. */
export async function insertUploadAddress(
  tx: Tx,
  address: UploadAddressRow & { agent_id: string; created_at: number },
): Promise<void> {
  await tx.query(command`
    INSERT INTO upload_addresses (id, agent_id, token_id, secret_hash, filename, created_at, expires_at)
    VALUES (${address.id}, ${address.agent_id}, ${address.token_id}, ${address.secret_hash}, ${address.filename},
      ${at(address.created_at)}, ${at(address.expires_at)})`);
}

/** How many addresses of an agent still take a file: those of ended tokens do not. */
export async function countOpenUploadAddresses(tx: Tx, agentId: string, nowMs: number): Promise<number> {
  return await tx.oneFirst(sql.type(Count)`
    SELECT count(*) FROM upload_addresses u JOIN tokens t ON t.id = u.token_id
    WHERE u.agent_id = ${agentId} AND u.asset_id IS NULL AND u.expires_at > ${at(nowMs)} AND ${isValidToken(nowMs)}`);
}

/** The address of a secret, used or not; null once its time is over. */
export async function findUploadAddress(db: Db, secretHash: string, nowMs: number) {
  return await db.maybeOne(sql.type(UploadAddressRow)`
    SELECT id, token_id, secret_hash, filename, expires_at FROM upload_addresses
    WHERE secret_hash = ${secretHash} AND expires_at > ${at(nowMs)}`);
}

/** Ends an address with the file that it took; false where it has ended already. */
export async function endUploadAddress(tx: Tx, id: string, assetId: string): Promise<boolean> {
  const { rowCount } = await tx.query(command`
    UPDATE upload_addresses SET asset_id = ${assetId} WHERE id = ${id} AND asset_id IS NULL`);
  return rowCount > 0;
}

/** Opens the address again whose file was refused, if the file came by one. */
export async function reopenUploadAddress(tx: Tx, assetId: string): Promise<void> {
  await tx.query(command`UPDATE upload_addresses SET asset_id = NULL WHERE asset_id = ${assetId}`);
}
