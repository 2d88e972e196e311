import { z } from "zod";
import { type Db, jsonRows, sql } from "../connection/pool.ts";
import { currentArtworks } from "../datasets/artworks.ts";
import { ParquetRow, parquetOf } from "../datasets/parquet-files.ts";
import { FileRow, keptFilesOf } from "../datasets/revision-files.ts";
import { FileStatsRow, statsOf } from "../datasets/statistics.ts";
import { CorrectionRow, correctionsOf } from "./corrections.ts";
import { BoundRow, boundChartsOf, CheckedRow, checkedFiguresOf } from "./data-sources.ts";
import { DataChangeRow, dataChangesOf } from "./file-diffs.ts";
import { changesOf, LicensedChangeRow } from "./open-changes.ts";
import type { OpenCreationRow } from "./open-creations.ts";
import {
  citationsOf,
  listedCollectionsWith,
  listedEntriesOf,
  RelatedRow,
  RelationRow,
  referencesOf,
} from "./relations.ts";
import { TopicRow, topicsOf } from "./topics.ts";

/** So many changes are shown. */
const CHANGES = 100;

const AroundRow = z.strictObject({
  /** The files that still have their bytes. */
  files: z.array(FileRow),
  changes: z.array(LicensedChangeRow),
  data_changes: z.array(DataChangeRow),
  corrections: z.array(CorrectionRow),
  entries: z.array(RelatedRow),
  references: z.array(RelationRow),
  cited_by: z.array(RelationRow),
  collections: z.array(RelatedRow),
  charts: z.array(BoundRow),
  figures: z.array(CheckedRow),
});
/** What stands around a creation in its public JSON. */
export type AroundRow = z.infer<typeof AroundRow>;

const AroundPageRow = AroundRow.extend({
  stats: z.array(FileStatsRow),
  parquet: z.array(ParquetRow),
  topics: z.array(TopicRow),
  artworks: z.array(z.strictObject({ hash: z.string() })),
});
/** The same with what its page shows beside. */
export type AroundPageRow = z.infer<typeof AroundPageRow>;

type Creation = Pick<OpenCreationRow, "id" | "type" | "revision">;

/** What stands around a creation, as of the revision that it has. */
export async function readAroundCreation(db: Db, creation: Creation): Promise<AroundRow> {
  return await db.one(sql.type(AroundRow)`SELECT ${around(creation)}`);
}

/** The same with what its page shows beside: of these topics the enabled ones, of these artworks the current ones. */
export async function readAroundPage(
  db: Db,
  creation: Creation,
  page: { statsVersion: number; topicIds: readonly string[]; artworks: readonly string[] },
): Promise<AroundPageRow> {
  const { id } = creation.revision;
  return await db.one(sql.type(AroundPageRow)`
    SELECT ${around(creation)},
      ${jsonRows(statsOf(id, page.statsVersion))} AS stats,
      ${jsonRows(parquetOf(id))} AS parquet,
      ${jsonRows(topicsOf(page.topicIds))} AS topics,
      ${jsonRows(currentArtworks(page.artworks))} AS artworks`);
}

function around({ id, type, revision }: Creation) {
  const shown = { limit: CHANGES, upTo: revision.revision_number };
  return sql.fragment`
      ${jsonRows(keptFilesOf(revision))} AS files,
      ${jsonRows(changesOf(id, shown))} AS changes,
      ${type === "dataset" ? jsonRows(dataChangesOf(id, shown)) : sql.fragment`'[]'::json`} AS data_changes,
      ${jsonRows(correctionsOf({ id: revision.id, creation_id: id }))} AS corrections,
      ${jsonRows(listedEntriesOf(revision.id))} AS entries,
      ${jsonRows(referencesOf(revision.id, "listed"))} AS references,
      ${jsonRows(citationsOf(id))} AS cited_by,
      ${jsonRows(listedCollectionsWith(id))} AS collections,
      ${jsonRows(boundChartsOf(revision.id))} AS charts,
      ${jsonRows(checkedFiguresOf(revision.id))} AS figures`;
}
