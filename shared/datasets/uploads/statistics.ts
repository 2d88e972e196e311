import { withTimeout } from "../../../sql/connection/with-timeout.ts";
import { findAssetById, findReadingIndex } from "../../../sql/datasets/assets.ts";
import { type FileRow, findOpenDictionary } from "../../../sql/datasets/revision-files.ts";
import {
  type FileStatsRow,
  findTableForms,
  findTableStats,
  listFormsOfRevision,
  listTableStats,
  MISSING_MEMBER,
  type StatsKey,
  saveDescribedStats,
  saveStats,
} from "../../../sql/datasets/statistics.ts";
import type { OpenFileRow } from "../../../sql/reading/open-files.ts";
import { sha256 } from "../../ground/checksum.ts";
import { workInPlace } from "../../platform/concurrency/places.ts";
import type { Deps } from "../../platform/deps.ts";
import { FileMissing } from "../../platform/files/store.ts";
import type { Threads } from "../../platform/threads/open.ts";
import type { KeyedFile } from "../../platform/threads/rows-cache.ts";
import type { DictionaryMember } from "../../tables/dictionary/dictionary.ts";
import { type RowsFile, type RowsRefusal, refuse } from "../../tables/rows/plan.ts";
import { readTableStats, type TableStats } from "../../tables/statistics/brief-columns.ts";
import { type ColumnForm, STATS_VERSION } from "../../tables/statistics/measure-table.ts";
import type { RenderContext } from "../drawings/render-body.ts";
import { presentInside, readInspection, readTables, type ShownFiles } from "./public-files.ts";
import { findRowsFile, readTableParameter, toRowsFile } from "./read-rows.ts";

/** A job that no worker took within this time is lost: the next reader of the page starts the measurement. */
const LOST_JOB_MS = 60_000;

/** The most that a page waits for statistics under a dictionary, which no upload ordered. */
const MOST_WAIT_MS = 1_000;

/** The key of a file's statistics under its dictionary as it is stored. */
function keyOf(id: string, dictionary: string | null): StatsKey {
  const isMissing = dictionary?.includes(MISSING_MEMBER) ?? false;
  const dictionarySha256 = dictionary !== null && isMissing ? sha256(dictionary) : null;
  return { id, version: STATS_VERSION, dictionarySha256 };
}

/**
 * Measures an inspected file, under its dictionary where it has one, and stores its statistics; running it twice or late
 * changes nothing.
 */
export async function measureAsset(
  deps: Deps,
  threads: Threads,
  id: string,
  dictionary: string | null = null,
): Promise<void> {
  const asset = await findAssetById(deps.pool, id);
  if (asset?.readiness !== "ready" || asset.file_deleted_at !== null) return;
  if ((await findTableStats(deps.pool, keyOf(id, dictionary), 0))?.measured) return;
  try {
    await measure(deps, threads, { id, dictionary }, toRowsFile(asset));
  } catch (error) {
    // Deleted meanwhile: nothing is left to measure.
    if (!(error instanceof FileMissing)) throw error;
  }
}

async function measure(
  deps: Deps,
  threads: Threads,
  { id, dictionary }: { id: string; dictionary: string | null },
  file: KeyedFile,
): Promise<boolean> {
  if (!hasTables(file)) return false;
  const readingIndex = await findReadingIndex(deps.pool, id);
  const key = keyOf(id, dictionary);
  const said = key.dictionarySha256 === null ? null : (JSON.parse(dictionary ?? "") as DictionaryMember);
  // A file that takes too long is not tried again: its list of tables stays empty.
  const measured =
    (await threads.measure({ key: file.key, file, readingIndex, dictionary: said })) ?? NOTHING;
  if (said === null) await saveStats(deps.pool, id, STATS_VERSION, measured);
  else await saveDescribedStats(deps.pool, key, measured.stats, deps.now());
  return true;
}

const NOTHING = { stats: "[]", forms: "[]" };

/**
 * The statistics of a published table without the cells that its dictionary calls missing, as JSON text. A file whose statistics are of an older version, or that
 * was inspected before there were any, is measured once, now.
 */
export async function readPublicStats(
  deps: Deps,
  threads: Threads,
  file: OpenFileRow,
  parameters: URLSearchParams,
): Promise<{ ok: true; json: string } | RowsRefusal> {
  const rowsFile = await findRowsFile(deps, file);
  const chosen = readTableParameter(rowsFile, parameters);
  if (!chosen.ok) return chosen;
  const of = { id: file.asset_id, dictionary: await findOpenDictionary(deps.pool, file.asset_id) };
  const find = () => findTableStats(deps.pool, keyOf(of.id, of.dictionary), chosen.table);
  let known = await find();
  if (!known?.measured && (await measure(deps, threads, of, rowsFile))) known = await find();
  const json = known?.stats ?? null;
  return json === null ? TOO_LARGE_TO_MEASURE : { ok: true, json };
}

/**
 * The statistics of every table of a file, each as JSON text, measured now where there are none; null of a file without
 * tables, and none where they take too long to make.
 */
export async function readFileStats(
  deps: Deps,
  threads: Threads,
  file: Pick<OpenFileRow, "asset_id" | "format">,
  dictionary: string | null,
): Promise<string[] | null> {
  const { asset_id: id } = file;
  const rowsFile = await findRowsFile(deps, file);
  if (!hasTables(rowsFile)) return null;
  const find = () => listTableStats(deps.pool, keyOf(id, dictionary));
  const known = await find();
  if (known !== null) return [...known];
  await measure(deps, threads, { id, dictionary }, rowsFile);
  return [...((await find()) ?? [])];
}

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

/** The refusal of a file whose statistics were tried and not made. */
export const TOO_LARGE_TO_MEASURE = refuse(
  "too_large_to_read",
  "The statistics of this file take too long to make. Download the file instead.",
);

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
  for (const { asset_id: id } of files) {
    const row = rows.get(id);
    const measured = row && read(row);
    if (measured) {
      found.set(id, measured);
      continue;
    }
    onMissingPart?.();
    // The reader does not wait for the measurement; where it fails, the next reader starts another.
    if (row && deps.now() - row.created_at > LOST_JOB_MS) {
      workInPlace(null, () => measureAsset(deps, threads, id)).catch(() => {});
    }
  }
  return found;
}

function hasTables({ inspection, tables }: Pick<RowsFile, "inspection" | "tables">): boolean {
  return inspection?.kind === "table" || tables.length > 0;
}
