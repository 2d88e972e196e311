import type { AgentRow } from "../sql/agents.ts";
import { type AssetRow, findOwnAsset } from "../sql/assets.ts";
import type { Deps } from "./deps.ts";
import { notFound } from "./errors.ts";
import { toUlid } from "./ids.ts";
import { isExpired } from "./payload-links.ts";

/** An agent's own file by the id in a path; throws `not_found` for any other, and for one whose time is over. */
export async function findAssetOf(deps: Deps, agent: AgentRow, id: string | undefined): Promise<AssetRow> {
  const ulid = toUlid(id);
  const asset = ulid === null ? null : await findOwnAsset(deps.pool, agent.id, ulid);
  if (asset === null || isExpired(asset, deps.now())) throw notFound("file");
  return asset;
}

/** The bytes of an agent's own file; throws `not_found` when they were removed. */
export function readBytesOf(deps: Deps, asset: AssetRow): AsyncIterable<Uint8Array> {
  if (asset.file_deleted_at !== null) throw notFound("file any more; its bytes were removed");
  return deps.files.get(asset.id);
}
