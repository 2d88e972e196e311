import { isFileKept } from "../../../sql/care/stored-files.ts";
import type { Db } from "../../../sql/connection/pool.ts";
import type { AssetRow } from "../../../sql/datasets/assets.ts";
import { listAssetsAfter } from "../../../sql/datasets/own-assets.ts";
import type { AgentRow } from "../../../sql/identity/agents.ts";
import { presentMembers } from "../../ground/present-members.ts";
import { RawJson, stringifyJson } from "../../ground/raw-json.ts";
import type { Deps } from "../../platform/deps.ts";
import { FileMissing } from "../../platform/files/store.ts";
import { folderOf } from "./agents.ts";
import { type Archive, eachRow, toBytes, toEntryName } from "./zip.ts";

/** Few at once, because the inspection result of a table can be long. */
const FILES_AT_ONCE = 50;

/** A file to put into the archive. */
export interface WantedFile {
  id: string;
  path: string;
  sha256: string;
}

/** A file that the archive lacks or holds differently from its row, with the reason. */
export interface FileFault {
  asset_id: string;
  path: string;
  fault: string;
}

/** The path of a file in the archive: each has a folder of its own, so equal names do not collide. */
export function pathOfFile(agent: Pick<AgentRow, "handle">, assetId: string, filename: string): string {
  return `${folderOf(agent)}/files/${assetId}/${toEntryName(filename)}`;
}

/** Adds the list of an agent's files with their inspection results; returns the files to add later. */
export async function addFileList(db: Db, archive: Archive, agent: AgentRow): Promise<WantedFile[]> {
  const wanted: WantedFile[] = [];
  async function* write() {
    yield "[";
    let isFirst = true;
    const read = (after: string, most: number) => listAssetsAfter(db, agent.id, after, most);
    for await (const asset of eachRow("", FILES_AT_ONCE, read, (row) => row.id)) {
      const path = asset.file_deleted_at === null ? pathOfFile(agent, asset.id, asset.filename) : null;
      if (path !== null) wanted.push({ id: asset.id, path, sha256: asset.content_sha256 });
      yield `${isFirst ? "" : ","}\n${stringifyJson(presentFile(asset, path), 2)}`;
      isFirst = false;
    }
    yield "\n]\n";
  }
  await archive.add(`${folderOf(agent)}/files.json`, toBytes(write()));
  return wanted;
}

function presentFile(asset: AssetRow, path: string | null) {
  return {
    asset_id: asset.id,
    path,
    ...presentMembers(asset, "filename", "kind", "format", "bytes", "content_sha256", "readiness"),
    ...presentMembers(asset, "readiness_reason"),
    inspection: asset.inspection === null ? null : new RawJson(asset.inspection),
    ...presentMembers(asset, "created_at", "expires_at", "file_deleted_at"),
  };
}

/** Copies a file into the archive; returns the fault, or null. */
export async function addFile(deps: Deps, archive: Archive, file: WantedFile): Promise<FileFault | null> {
  const about = { asset_id: file.id, path: file.path };
  const source = await openFile(deps, file.id);
  if (source !== null) {
    const { sha256 } = await archive.add(file.path, source);
    return sha256 === file.sha256 ? null : { ...about, fault: "Its bytes are not those that were uploaded." };
  }
  const isLost = await isFileKept(deps.pool, file.id);
  if (isLost) deps.log.error({ asset_id: file.id }, "a stored file is missing from an archive");
  const fault = isLost ? "It is missing from the file store." : "It was deleted while the archive was made.";
  return { ...about, fault };
}

/**
 * Opens a stored file and reads its first bytes ahead, because an entry that has begun cannot be withdrawn.
 */
async function openFile(deps: Deps, id: string): Promise<AsyncIterable<Uint8Array> | null> {
  const chunks = deps.files.get(id)[Symbol.asyncIterator]();
  try {
    const first = await chunks.next();
    return rejoin(first, chunks);
  } catch (error) {
    if (error instanceof FileMissing) return null;
    throw error;
  }
}

async function* rejoin(first: IteratorResult<Uint8Array>, rest: AsyncIterator<Uint8Array>) {
  try {
    for (let next = first; next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
