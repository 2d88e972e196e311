import { z } from "zod";
import { at, atOrNull, command, type Db, sql, Timestamp, type Tx, texts } from "../connection/pool.ts";

export const ClientRow = z.strictObject({
  id: z.string(),
  kind: z.enum(["document", "registered", "operator"]),
  name: z.string(),
  redirect_uris: z.array(z.string()),
  created_at: Timestamp,
  fresh_until: Timestamp.nullable(),
});
/** A program that may ask owners for access. */
export type ClientRow = z.infer<typeof ClientRow>;

const columns = sql.fragment`id, kind, name, redirect_uris, created_at, fresh_until`;

/** The data of a client as it is saved. */
export interface NewClient {
  id: string;
  kind: ClientRow["kind"];
  name: string;
  redirectUris: readonly string[];
  nowMs: number;
  /** When its document is read again; null where it has none. */
  freshMs: number | null;
}

/** Saves a client, or what its document says by now. */
export async function saveClient(db: Db, client: NewClient): Promise<ClientRow> {
  return await db.one(sql.type(ClientRow)`
    INSERT INTO oauth_clients (id, kind, name, redirect_uris, created_at, fresh_until)
    VALUES (${client.id}, ${client.kind}, ${client.name}, ${texts(client.redirectUris)}, ${at(client.nowMs)},
      ${atOrNull(client.freshMs)})
    ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name, redirect_uris = EXCLUDED.redirect_uris,
      fresh_until = EXCLUDED.fresh_until
    RETURNING ${columns}`);
}

/** A client by its id. */
export async function findClient(db: Db, id: string): Promise<ClientRow | null> {
  return await db.maybeOne(sql.type(ClientRow)`SELECT ${columns} FROM oauth_clients WHERE id = ${id}`);
}

/** Notes that an owner connected a client, which is kept from now on. */
export async function touchClient(tx: Tx, id: string, nowMs: number): Promise<void> {
  await tx.query(command`UPDATE oauth_clients SET consented_at = ${at(nowMs)} WHERE id = ${id}`);
}
