import { z } from "zod";
import { at, command, type Db, type Fragment, sql, Timestamp } from "../connection/pool.ts";

/** How a stored dictionary begins to name what stands for blank. */
export const MISSING_MEMBER = '"missing_values":[';

const StatsRow = z.strictObject({ measured: z.boolean(), stats: z.string().nullable() });

/** Statistics of one version: of a file, without the cells that a dictionary calls missing. */
export interface StatsKey {
  id: string;
  version: number;
  /** The hash of the dictionary as it is stored (`missingHashOf`); null where it calls no cell missing. */
  dictionarySha256: string | null;
}

/** The statistics of a file, as part of a statement: one row, null where it has none of this version. */
function statsUnder({ id, version, dictionarySha256 }: StatsKey) {
  if (dictionarySha256 === null)
    return sql.fragment`SELECT CASE WHEN stats_version = ${version} THEN stats END AS stats FROM assets WHERE id = ${id}`;
  return sql.fragment`SELECT (SELECT d.stats FROM described_stats d
    WHERE d.asset_id = ${id} AND d.dictionary_sha256 = ${dictionarySha256} AND d.stats_version = ${version}) AS stats`;
}

/** A table's statistics by its position, as JSON text. A file measured without any takes too long. */
export async function findTableStats(db: Db, key: StatsKey, table: number) {
  return await db.maybeOne(sql.type(StatsRow)`
    SELECT stats IS NOT NULL AS measured, (stats -> ${table}::integer)::text AS stats
    FROM (${statsUnder(key)}) AS s`);
}

const FormsRow = z.strictObject({ forms: z.string().nullable() });

/** How the columns of a table are written, by its position, as JSON text; null where it was not measured. */
export async function findTableForms(db: Db, id: string, version: number, table: number) {
  return await db.maybeOneFirst(sql.type(FormsRow)`
    SELECT (column_forms -> ${table}::integer)::text AS forms
    FROM assets WHERE id = ${id} AND stats_version = ${version}`);
}

const TableStatsRow = z.strictObject({ stats: z.array(z.string()).nullable() });

/** The statistics of every table of a file, each as JSON text; null where it has none. */
export async function listTableStats(db: Db, key: StatsKey): Promise<readonly string[] | null> {
  const row = await db.maybeOne(sql.type(TableStatsRow)`
    SELECT (SELECT array_agg(one.stats::text ORDER BY one.place)
      FROM json_array_elements(s.stats) WITH ORDINALITY AS one (stats, place)) AS stats
    FROM (${statsUnder(key)}) AS s WHERE s.stats IS NOT NULL`);
  return row === null ? null : (row.stats ?? []);
}

export const FileStatsRow = z.strictObject({
  asset_id: z.string(),
  created_at: Timestamp,
  stats: z.string().nullable(),
});

/** The hash of a file's dictionary where that calls cells missing; texts in it have their quotes escaped. */
const missingHash = sql.fragment`CASE WHEN strpos(f.dictionary::text, ${MISSING_MEMBER}) > 0
  THEN encode(sha256(convert_to(f.dictionary::text, 'UTF8')), 'hex') END`;

/**
 * The statistics of a revision's files that still have their bytes, each under its dictionary; null for a file that has
 * none of this version.
 */
export function statsOf(revisionId: string, version: number) {
  const own = sql.fragment`CASE WHEN s.stats_version = ${version} THEN s.stats END`;
  const described = sql.fragment`SELECT d.stats FROM described_stats d
    WHERE d.asset_id = s.id AND d.dictionary_sha256 = ${missingHash} AND d.stats_version = ${version}`;
  const stats = sql.fragment`CASE WHEN ${missingHash} IS NULL THEN ${own} ELSE (${described}) END`;
  return sql.type(FileStatsRow)`${measuredOf(revisionId, sql.fragment`(${stats})::text AS stats`)}`;
}

function measuredOf(revisionId: string, measured: Fragment) {
  return sql.fragment`
    SELECT s.id AS asset_id, s.created_at, ${measured}
    FROM revision_files f JOIN assets s ON s.id = f.asset_id
    WHERE f.revision_id = ${revisionId} AND s.kind = 'dataset' AND s.file_deleted_at IS NULL`;
}

export type FileStatsRow = z.infer<typeof FileStatsRow>;

const FileFormsRow = FileStatsRow.omit({ stats: true }).extend({
  forms: z.string().nullable(),
});

/** How the columns of a revision's files are written; null for a file that has no statistics of this version. */
export async function listFormsOfRevision(db: Db, revisionId: string, version: number) {
  const forms = sql.fragment`CASE WHEN s.stats_version = ${version} THEN s.column_forms::text END AS forms`;
  return await db.any(sql.type(FileFormsRow)`${measuredOf(revisionId, forms)}`);
}

/** Stores a file's statistics; those of this version that another process stored meanwhile are the same and stay. */
export async function saveStats(
  db: Db,
  id: string,
  version: number,
  { stats, forms }: { stats: string; forms: string },
): Promise<void> {
  await db.query(command`
    UPDATE assets SET stats = ${stats}::json, column_forms = ${forms}::json, stats_version = ${version}
    WHERE id = ${id} AND readiness = 'ready' AND file_deleted_at IS NULL AND (stats IS NULL OR stats_version < ${version})`);
}

/** Stores the statistics of a file under a dictionary. */
export async function saveDescribedStats(
  db: Db,
  { id, version, dictionarySha256 }: StatsKey,
  stats: string,
  nowMs: number,
): Promise<void> {
  await db.query(command`
    INSERT INTO described_stats (asset_id, agent_id, dictionary_sha256, stats_version, stats, measured_at)
    SELECT id, agent_id, ${dictionarySha256}, ${version}, ${stats}::json, ${at(nowMs)} FROM assets
    WHERE id = ${id} AND readiness = 'ready' AND file_deleted_at IS NULL
    ON CONFLICT (asset_id, dictionary_sha256) DO UPDATE SET stats = excluded.stats,
      stats_version = excluded.stats_version, measured_at = excluded.measured_at`);
}
