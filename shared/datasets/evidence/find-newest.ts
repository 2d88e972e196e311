import type { Db } from "../../../sql/connection/pool.ts";
import {
  listStandingFiles,
  listStandingSources,
  type StandingFileRow,
  type StandingSourceRow,
} from "../../../sql/datasets/standing-questions.ts";
import { listWatchedSources, type WatchedSourceRow } from "../../../sql/datasets/watched-questions.ts";
import { pairFiles } from "../../tables/differences/pair-files.ts";

type Source = StandingSourceRow | WatchedSourceRow;

/** Where the newest data stand of a file that a text or a watched question names. */
export interface Newest<Of extends Source = Source> {
  source: Of;
  /** The file of the live revision that stands where the named one stood; null where none does. */
  file: StandingFileRow | null;
}

/** Why nothing can be asked where no file stands in the place of the named one. */
export const NO_FILE_LEFT = "The newest revision has no file in the place of the one that was asked.";

/** Finds the newest data of files; those that no open work has are missing. */
export async function findNewest(db: Db, assetIds: readonly string[]) {
  const sources = await listStandingSources(db, [...new Set(assetIds)]);
  return await findFiles(db, sources, ({ asset_id }) => asset_id);
}

/** Finds the newest data of watched questions; those whose work is not listed are missing. */
export async function findNewestWatched(db: Db, ids: readonly number[]) {
  return await findFiles(db, await listWatchedSources(db, ids), ({ watched_id }) => watched_id);
}

async function findFiles<Of extends Source, Key>(
  db: Db,
  sources: readonly Of[],
  keyOf: (source: Of) => Key,
): Promise<Map<Key, Newest<Of>>> {
  const ids = sources.flatMap(({ base_id, live_id }) => [base_id, live_id]).filter((id) => id !== null);
  const files = Map.groupBy(await listStandingFiles(db, [...new Set(ids)]), ({ revision_id }) => revision_id);
  const find = (source: Of): Newest<Of> => {
    const [base, live] = [files.get(source.base_id ?? ""), files.get(source.live_id) ?? []];
    const file = base === undefined ? findByName(source, live) : findPaired(source, base, live);
    return { source, file: file?.is_gone ? null : file };
  };
  return new Map(sources.map((source) => [keyOf(source), find(source)]));
}

type Files = readonly StandingFileRow[];

function findPaired({ asset_id }: Source, base: Files, live: Files): StandingFileRow | null {
  return pairFiles(base, live).find(({ from }) => from?.asset_id === asset_id)?.to ?? null;
}

/** The file by what a watched question keeps, where the content of the revision that it named was removed. */
function findByName(source: Source, live: Files): StandingFileRow | null {
  if (!("watched_id" in source)) return null;
  const { label, filename } = source;
  return live.find((file) => file.label === label) ?? live.find((file) => file.filename === filename) ?? null;
}

/** Whether the newest data are the same at two times. */
export function isSameNewest(one: Newest | undefined, other: Newest | undefined): boolean {
  return (
    one?.source.source_id === other?.source.source_id &&
    one?.source.live_id === other?.source.live_id &&
    one?.file?.asset_id === other?.file?.asset_id
  );
}
