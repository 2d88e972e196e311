import type { Db } from "../../../sql/connection/pool.ts";
import { countTableRows } from "../../../sql/datasets/appends.ts";
import { type AssetRow, findOwnAsset } from "../../../sql/datasets/assets.ts";
import type { AgentRow } from "../../../sql/identity/agents.ts";
import { toUlid } from "../../ground/ids.ts";
import type { Deps } from "../../platform/deps.ts";
import { FileMissing } from "../../platform/files/store.ts";
import { type KeptStart, openKept } from "./append-stream.ts";
import { isExpired } from "./expiry.ts";
import type { Format } from "./filenames.ts";
import { refuseBase } from "./incoming-file.ts";

/** A file to append to. */
export interface AppendBase extends KeptStart {
  id: string;
  agentId: string;
}

const POLL = "Poll GET /assets/{asset} until it is ready, then append.";

/**
 * The row of a base: a file of this agent that is ready and grows. Throws 422 on `base_asset_id` for any other, with the
 * same words for an unknown file and for another agent's.
 */
export async function findBase(
  db: Db,
  deps: Deps,
  agent: Pick<AgentRow, "id">,
  id: string,
): Promise<AssetRow> {
  const ulid = toUlid(id);
  const asset = ulid === null ? null : await findOwnAsset(db, agent.id, ulid);
  if (asset === null || isExpired(asset, deps.now())) {
    throw refuseBase("You have no file with this id. Name one of your own, which is ready.");
  }
  if (asset.readiness === "processing") throw refuseBase(`The base is still being inspected. ${POLL}`);
  if (asset.readiness === "failed")
    throw refuseBase("The base was refused: only a file that is ready grows.");
  if (asset.file_deleted_at !== null) {
    throw refuseBase("The bytes of the base were removed. Upload the whole file instead.");
  }
  return asset;
}

/** Opens a base for a part of this format and for results up to a size. Throws 422 on `base_asset_id`. */
export async function openBase(
  deps: Deps,
  agent: Pick<AgentRow, "id">,
  { id, format, mostBytes }: { id: string; format: Format; mostBytes: number },
): Promise<AppendBase> {
  const row = await findBase(deps.pool, deps, agent, id);
  if (row.format !== "csv" && row.format !== "json") {
    throw refuseBase(
      `The base is a .${row.format} file. Only CSV files and JSON lists grow; upload the whole text instead.`,
    );
  }
  if (row.format !== format) {
    throw refuseBase(
      `The base is a .${row.format} file and the file that you sent a .${format} one. Send one of the same format.`,
    );
  }
  const base = { id: row.id, agentId: agent.id };
  const rows = format === "csv" ? 0 : await countTableRows(deps.pool, row.id);
  if (rows === null) {
    throw refuseBase(
      "The base is a JSON document. Only a list of objects grows; upload the whole document instead.",
    );
  }
  return await whileBaseStands(deps, base, async () => {
    const kept = await openKept(deps.files, { id: row.id, format, bytes: row.bytes, rows });
    if (kept.keptBytes >= mostBytes) throw refuseBase(wholeTooLarge(mostBytes));
    return { ...base, ...kept };
  });
}

/** The sentence of a result that has more bytes than a file may. */
export function wholeTooLarge(mostBytes: number): string {
  return `The base and the new rows together are larger than ${mostBytes} bytes; upload the new rows as a file of their own.`;
}

/** Does what reads the base; 422 on it where its bytes went meanwhile with its row. */
export async function whileBaseStands<Result>(
  deps: Deps,
  base: Pick<AppendBase, "id" | "agentId">,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof FileMissing) await findBase(deps.pool, deps, { id: base.agentId }, base.id);
    throw error;
  }
}
