import { withTimeout } from "../../../sql/connection/with-timeout.ts";
import type { FileRow } from "../../../sql/datasets/revision-files.ts";
import {
  type FileStatsRow,
  findTableForms,
  findTableStats,
  listFormsOfRevision,
  listTableStats,
} from "../../../sql/datasets/statistics.ts";
import { workInPlace } from "../../platform/concurrency/places.ts";
import type { Deps } from "../../platform/deps.ts";
import { readTableStats, type TableStats } from "../../tables/statistics/brief-columns.ts";
import type { ColumnForm } from "../../tables/statistics/column-form.ts";
import { STATS_VERSION } from "../../tables/statistics/measure-table.ts";
import type { RenderContext } from "../drawings/render-body.ts";
import { presentInside, readInspection, readTables, type ShownFiles } from "./public-files.ts";
import { hasTables, isLost, keyOf, measureAsset } from "./statistics.ts";

/** The most that a page waits for statistics under a dictionary, which no upload ordered. */
const MOST_WAIT_MS = 1_000;

/** The statistics of one table of a file, by its place among the file's tables; null while there are none. */
export async function findShownStats(
  { deps, threads }: RenderContext,
  { asset_id: id, dictionary }: Pick<FileRow, "asset_id" | "dictionary">,
  table: number,
): Promise<TableStats | null> {
  const find = () => findTableStats(deps.pool, keyOf(id, dictionary), table);
  let known = await find();
  if (!known?.measured && (await measureSoon({ deps, threads }, id, dictionary))) known = await find();
  return known?.stats ? (readTableStats(`[${known.stats}]`)[0] ?? null) : null;
}

/** Measures a file under a dictionary, as a page waits for it; false where its statistics are not there yet. */
async function measureSoon(
  { deps, threads }: Pick<RenderContext, "deps" | "threads">,
  id: string,
  dictionary: string | null,
): Promise<boolean> {
  if (keyOf(id, dictionary).dictionarySha256 === null) return false;
  const measuring = workInPlace(null, () => measureAsset(deps, threads, id, dictionary));
  return await withTimeout(measuring, MOST_WAIT_MS).then(
    () => true,
    () => false,
  );
}

/** How the columns of one table of a file are written, by its place among the file's tables; none while that is not known. */
export async function findShownForms(deps: Deps, assetId: string, table: number): Promise<ColumnForm[]> {
  const forms = await findTableForms(deps.pool, assetId, STATS_VERSION, table);
  return forms === null ? [] : (JSON.parse(forms) as ColumnForm[]);
}

/** Presents the files of a revision as its page shows them, with what is stored of their statistics. */
export async function showFiles(
  context: RenderContext,
  shown: readonly FileRow[],
  stored: readonly FileStatsRow[],
) {
  const withTables = shown.filter((file) =>
    hasTables({ inspection: readInspection(file), tables: readTables(file.tables) }),
  );
  const known = await Promise.all(stored.map((row) => completeStats(context, withTables, row)));
  const stats = collectMeasured(context, withTables, known, ({ stats }) => stats && readTableStats(stats));
  return shown.map((file) => presentInside(context.deps, file, stats.get(file.asset_id) ?? null));
}

/** The statistics of a file under its dictionary, measured now where there are none. */
async function completeStats(
  { deps, threads }: RenderContext,
  files: readonly FileRow[],
  row: FileStatsRow,
): Promise<FileStatsRow> {
  const file = files.find(({ asset_id }) => asset_id === row.asset_id);
  if (row.stats !== null || file === undefined) return row;
  if (!(await measureSoon({ deps, threads }, row.asset_id, file.dictionary))) return row;
  const stats = await listTableStats(deps.pool, keyOf(row.asset_id, file.dictionary));
  return { ...row, stats: stats && `[${stats.join(",")}]` };
}

/** How the columns of these files with tables are written; a file that is not measured yet is missing. */
export async function showForms(
  context: RenderContext,
  revisionId: string,
  withTables: ShownFiles,
): Promise<Map<string, ColumnForm[][]>> {
  const [files, stored] = await Promise.all([
    withTables,
    listFormsOfRevision(context.deps.pool, revisionId, STATS_VERSION),
  ]);
  return collectMeasured(context, files, stored, ({ forms }) => forms && JSON.parse(forms));
}

function collectMeasured<Row extends { asset_id: string; created_at: number }, Measured>(
  { deps, threads, onMissingPart }: RenderContext,
  files: readonly FileRow[],
  stored: readonly Row[],
  read: (row: Row) => Measured | null | "",
): Map<string, Measured> {
  const found = new Map<string, Measured>();
  const rows = new Map(stored.map((row) => [row.asset_id, row]));
  for (const { asset_id: id, bytes } of files) {
    const row = rows.get(id);
    const measured = row && read(row);
    if (measured) {
      found.set(id, measured);
      continue;
    }
    onMissingPart?.();
    // The reader does not wait for the measurement; where it fails, the next reader starts another.
    if (row && isLost(deps, { ...row, bytes })) {
      workInPlace(null, () => measureAsset(deps, threads, id)).catch(() => {});
    }
  }
  return found;
}
