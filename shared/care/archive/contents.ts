import { readInSnapshot } from "../../../sql/care/snapshot.ts";
import type { Db } from "../../../sql/connection/pool.ts";
import { listAgentsOfOwner } from "../../../sql/identity/agents.ts";
import { findOwnerById } from "../../../sql/identity/owners.ts";
import { toIso } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { addAgent } from "./agents.ts";
import { type Archive, toBytes } from "./archive.ts";
import { addFile, addFileList, type FileFault, type WantedFile } from "./files.ts";
import { addOwner, addRecords } from "./owner.ts";
import { writeReadme } from "./readme.ts";
import { addWorks } from "./works.ts";

/**
 * Writes everything of an owner into an archive: every row of one snapshot, every file that had a row then,
 * and last a manifest with hashes.
 */
export async function writeContents(deps: Deps, ownerId: string, archive: Archive): Promise<void> {
  const asOf = toIso(deps.now());
  await archive.addText("README.txt", writeReadme(deps.config.siteUrl, asOf));
  const wanted = await readInSnapshot(deps.pool, (db) => addRows(deps, db, archive, ownerId));
  const faults: FileFault[] = [];
  for (const file of wanted) {
    const fault = await addFile(deps, archive, file);
    if (fault !== null) faults.push(fault);
  }
  const about = { format: 1, site: deps.config.siteUrl, owner_id: ownerId, as_of: asOf };
  await archive.add("manifest.json", toBytes(writeManifest(about, archive, faults)));
}

async function addRows(deps: Deps, db: Db, archive: Archive, ownerId: string): Promise<WantedFile[]> {
  const owner = await findOwnerById(db, ownerId);
  if (owner === null) throw new Error("an archive was asked for by nobody");
  await addOwner(db, archive, owner, deps.now());
  await addRecords(db, archive, ownerId);
  const wanted: WantedFile[] = [];
  for (const agent of await listAgentsOfOwner(db, ownerId)) {
    await addAgent(deps, db, archive, agent);
    await addWorks(deps, db, archive, agent);
    for (const file of await addFileList(db, archive, agent)) wanted.push(file);
  }
  return wanted;
}

/** The manifest lists every entry but itself. */
function* writeManifest(about: object, { entries }: Archive, faults: readonly FileFault[]) {
  yield `${JSON.stringify(about, null, 2).slice(0, -2)},\n  "faults": ${JSON.stringify(faults)},\n  "entries": [`;
  const all = [...entries];
  for (const [index, entry] of all.entries()) yield `${index === 0 ? "" : ","}\n    ${JSON.stringify(entry)}`;
  yield "\n  ]\n}\n";
}
