import type { Db } from "../../../sql/connection/pool.ts";
import {
  listStandingFiles,
  listStandingSources,
  type StandingFileRow,
  type StandingSourceRow,
} from "../../../sql/datasets/standing-questions.ts";
import { pairFiles } from "../../tables/differences/pair-files.ts";

/** Where the newest data stand of a file that a text names. */
export interface Newest {
  source: StandingSourceRow;
  /** The file of the live revision that stands where the named one stood; null where none does. */
  file: StandingFileRow | null;
}

/** Why nothing can be asked where no file stands in the place of the named one. */
export const NO_FILE_LEFT = "The newest revision has no file in the place of the one that was asked.";

/** Finds the newest data of files; those that no open work has are missing. */
export async function findNewest(db: Db, assetIds: readonly string[]): Promise<Map<string, Newest>> {
  const sources = await listStandingSources(db, [...new Set(assetIds)]);
  const ids = sources.flatMap(({ base_id, live_id }) => [base_id, live_id]);
  const files = Map.groupBy(await listStandingFiles(db, [...new Set(ids)]), ({ revision_id }) => revision_id);
  const find = (source: StandingSourceRow): Newest => {
    const pairs = pairFiles(files.get(source.base_id) ?? [], files.get(source.live_id) ?? []);
    const file = pairs.find(({ from }) => from?.asset_id === source.asset_id)?.to ?? null;
    return { source, file: file?.is_gone ? null : file };
  };
  return new Map(sources.map((source) => [source.asset_id, find(source)]));
}

/** Whether the newest data are the same at two times. */
export function isSameNewest(one: Newest | undefined, other: Newest | undefined): boolean {
  return (
    one?.source.source_id === other?.source.source_id &&
    one?.source.live_id === other?.source.live_id &&
    one?.file?.asset_id === other?.file?.asset_id
  );
}
