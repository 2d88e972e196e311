import { sumStorageByAgent, sumStorageByKind, sumStorageByOwner } from "../../../sql/care/storage-report.ts";
import type { Deps } from "../../platform/deps.ts";
import { readLimit } from "./list-entries.ts";

/** The stored bytes and files in all, by kind of file, and of the owners and agents with the most; throws 422 on `limit`. */
export async function reportStorage({ pool }: Deps, wantedLimit?: string) {
  const limit = readLimit(wantedLimit);
  const [kinds, owners, agents] = await Promise.all([
    sumStorageByKind(pool),
    sumStorageByOwner(pool, limit),
    sumStorageByAgent(pool, limit),
  ]);
  const sum = (member: "files" | "bytes") => kinds.reduce((total, kind) => total + kind[member], 0);
  return { files: sum("files"), bytes: sum("bytes"), kinds, owners, agents };
}
