import { z } from "zod";
import { command, type Db, sql, Timestamp } from "../connection/pool.ts";

const StatsRow = z.strictObject({ measured: z.boolean(), stats: z.string().nullable() });

/**
 * A table's statistics by its position, as JSON text; those of another version are as good as none. A file
 * measured without any takes too long.
 */
export async function findTableStats(db: Db, id: string, version: number, table: number) {
  return await db.maybeOne(sql.type(StatsRow)`
    SELECT stats IS NOT NULL AS measured, (stats -> ${table}::integer)::text AS stats
    FROM (SELECT CASE WHEN stats_version = ${version} THEN stats END AS stats FROM assets WHERE id = ${id}) AS s`);
}

const FormsRow = z.strictObject({ forms: z.string().nullable() });

/** How the columns of a table are written, by its position, as JSON text; null where it was not measured. */
export async function findTableForms(db: Db, id: string, version: number, table: number) {
  return await db.maybeOneFirst(sql.type(FormsRow)`
    SELECT (column_forms -> ${table}::integer)::text AS forms
    FROM assets WHERE id = ${id} AND stats_version = ${version}`);
}

const TableStatsRow = z.strictObject({ stats: z.array(z.string()).nullable() });

/** The statistics of every table of a file, each as JSON text; null where it has none of this version. */
export async function listTableStats(db: Db, id: string, version: number): Promise<readonly string[] | null> {
  const row = await db.maybeOne(sql.type(TableStatsRow)`
    SELECT (SELECT array_agg(one.stats::text ORDER BY one.place)
      FROM json_array_elements(s.stats) WITH ORDINALITY AS one (stats, place)) AS stats
    FROM assets s WHERE s.id = ${id} AND s.stats_version = ${version} AND s.stats IS NOT NULL`);
  return row === null ? null : (row.stats ?? []);
}

export const FileStatsRow = z.strictObject({
  asset_id: z.string(),
  created_at: Timestamp,
  stats: z.string().nullable(),
});

/** The statistics of a revision's files that still have their bytes; null for a file that has none of this version. */
export function statsOf(revisionId: string, version: number) {
  return sql.type(FileStatsRow)`${measuredOf(revisionId, version, "stats", "stats")}`;
}

function measuredOf(revisionId: string, version: number, column: string, name: string) {
  return sql.fragment`
    SELECT s.id AS asset_id, s.created_at,
      CASE WHEN s.stats_version = ${version} THEN ${sql.identifier(["s", column])}::text END AS ${sql.identifier([name])}
    FROM revision_files f JOIN assets s ON s.id = f.asset_id
    WHERE f.revision_id = ${revisionId} AND s.kind = 'dataset' AND s.file_deleted_at IS NULL`;
}

export type FileStatsRow = z.infer<typeof FileStatsRow>;

const FileFormsRow = FileStatsRow.omit({ stats: true }).extend({
  forms: z.string().nullable(),
});

/** How the columns of a revision's files are written; null for a file that has no statistics of this version. */
export async function listFormsOfRevision(db: Db, revisionId: string, version: number) {
  return await db.any(sql.type(FileFormsRow)`${measuredOf(revisionId, version, "column_forms", "forms")}`);
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
