import { findAssetById, findReadingIndex } from "../../../sql/datasets/assets.ts";
import { type FileRow, findOpenDictionary } from "../../../sql/datasets/revision-files.ts";
import {
  type FileStatsRow,
  findTableForms,
  findTableStats,
  listFormsOfRevision,
  listTableStats,
  saveStats,
} from "../../../sql/datasets/statistics.ts";
import type { OpenFileRow } from "../../../sql/reading/open-files.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { workInPlace } from "../../platform/concurrency/places.ts";
import type { Deps } from "../../platform/deps.ts";
import { FileMissing } from "../../platform/files/store.ts";
import type { Threads } from "../../platform/threads/open.ts";
import type { KeyedFile } from "../../platform/threads/table-reader.ts";
import { addMeanings, type DictionaryMember } from "../../tables/dictionary/dictionary.ts";
import { NOT_TABULAR, type RowsFile, type RowsRefusal, refuse } from "../../tables/rows/plan.ts";
import {
  type BriefTable,
  readBriefTable,
  readTableStats,
  type TableStats,
} from "../../tables/statistics/brief-columns.ts";
import { type FileToDescribe, fitDescription } from "../../tables/statistics/fit-description.ts";
import { type ColumnForm, STATS_VERSION } from "../../tables/statistics/measure-table.ts";
import type { RenderContext } from "../drawings/render-body.ts";
import {
  isReadInPart,
  presentInside,
  readDictionary,
  readInspection,
  readTables,
  type ShownFiles,
} from "./public-files.ts";
import { findRowsFile, readTableParameter, toRowsFile } from "./read-rows.ts";

/** A job that no worker took within this time is lost: the next reader of the page starts the measurement. */
const LOST_JOB_MS = 60_000;

/** Measures an inspected file and stores its statistics; running it twice or late changes nothing. */
export async function measureAsset(deps: Deps, threads: Threads, id: string): Promise<void> {
  const asset = await findAssetById(deps.pool, id);
  if (asset?.readiness !== "ready" || asset.file_deleted_at !== null) return;
  if ((await findTableStats(deps.pool, id, STATS_VERSION, 0))?.measured) return;
  try {
    await measure(deps, threads, id, toRowsFile(asset));
  } catch (error) {
    // Deleted meanwhile: nothing is left to measure.
    if (!(error instanceof FileMissing)) throw error;
  }
}

async function measure(deps: Deps, threads: Threads, id: string, file: KeyedFile): Promise<boolean> {
  if (!hasTables(file)) return false;
  const readingIndex = await findReadingIndex(deps.pool, id);
  const measured = await threads.measure({ key: file.key, file, readingIndex });
  // A file that takes too long is not tried again: its list of tables stays empty.
  await saveStats(deps.pool, id, STATS_VERSION, measured ?? { stats: "[]", forms: "[]" });
  return true;
}

/**
 * The statistics of a published table, as JSON text. A file whose statistics are of an older version, or that
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
  const find = () => findTableStats(deps.pool, file.asset_id, STATS_VERSION, chosen.table);
  let known = await find();
  if (!known?.measured && (await measure(deps, threads, file.asset_id, rowsFile))) known = await find();
  const json = known?.stats ?? null;
  return json === null ? TOO_LARGE_TO_MEASURE : { ok: true, json };
}

/**
 * The statistics of every table of a file, each as JSON text, measured now where there are none; null of a file without
 * tables, and none where they take too long to make.
 */
async function readFileStats(
  deps: Deps,
  threads: Threads,
  file: Pick<OpenFileRow, "asset_id" | "format">,
): Promise<string[] | null> {
  const { asset_id: id } = file;
  const rowsFile = await findRowsFile(deps, file);
  if (!hasTables(rowsFile)) return null;
  const find = () => listTableStats(deps.pool, id, STATS_VERSION);
  const known = await find();
  if (known !== null) return [...known];
  await measure(deps, threads, id, rowsFile);
  return [...((await find()) ?? [])];
}

/** The statistics of one table of a file, by its place among the file's tables; null while there are none. */
export async function findShownStats(deps: Deps, assetId: string, table: number): Promise<TableStats | null> {
  const known = await findTableStats(deps.pool, assetId, STATS_VERSION, table);
  return known?.stats ? (readTableStats(`[${known.stats}]`)[0] ?? null) : null;
}

/** How the columns of one table of a file are written, by its place among the file's tables; none while that is not known. */
export async function findShownForms(deps: Deps, assetId: string, table: number): Promise<ColumnForm[]> {
  const forms = await findTableForms(deps.pool, assetId, STATS_VERSION, table);
  return forms === null ? [] : (JSON.parse(forms) as ColumnForm[]);
}

/** The refusal of a file whose statistics were tried and not made. */
const TOO_LARGE_TO_MEASURE = refuse(
  "too_large_to_read",
  "The statistics of this file take too long to make. Download the file instead.",
);

/** Presents the files of a revision as its page shows them, with what is stored of their statistics. */
export function showFiles(
  context: RenderContext,
  shown: readonly FileRow[],
  stored: readonly FileStatsRow[],
) {
  const withTables = shown.filter((file) =>
    hasTables({ inspection: readInspection(file), tables: readTables(file.tables) }),
  );
  const stats = collectMeasured(context, withTables, stored, ({ stats }) => stats && readTableStats(stats));
  return shown.map((file) => presentInside(context.deps, file, stats.get(file.asset_id) ?? null));
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

type DescribedFile = Pick<OpenFileRow, "asset_id" | "format" | "filename" | "bytes" | "content_sha256">;

/**
 * Describes one published file within a number of bytes, as JSON text, with members that it has from its work; one
 * without tables is refused.
 */
export async function describeFile(
  deps: Deps,
  threads: Threads,
  file: DescribedFile,
  { ofWork, mostBytes }: { ofWork: Record<string, unknown>; mostBytes: number },
): Promise<{ ok: true; json: string } | RowsRefusal> {
  const stats = await readFileStats(deps, threads, file);
  if (stats === null) return NOT_TABULAR;
  if (stats.length === 0) return TOO_LARGE_TO_MEASURE;
  const dictionary = await findOpenDictionary(deps.pool, file.asset_id);
  const member = dictionary === null ? null : (JSON.parse(dictionary) as DictionaryMember);
  const described = toDescribe(deps, file, addMeanings(stats.map(readBriefTable), member));
  const whole = { ...described, facts: { ...described.facts, ...ofWork } };
  return { ok: true, json: fitDescription(null, [whole], mostBytes) };
}

/** Describes the files of a creation within a number of bytes, as JSON text; `creation` are members of its own. */
export async function describeFiles(
  deps: Deps,
  threads: Threads,
  creation: Record<string, unknown>,
  files: readonly FileRow[],
  mostBytes: number,
): Promise<string> {
  const described: FileToDescribe[] = [];
  // One after the other: a file that was never measured takes a thread for seconds.
  for (const file of files) {
    const stats = (await readFileStats(deps, threads, file)) ?? [];
    const tables = addMeanings(stats.map(readBriefTable), readDictionary(file));
    described.push(toDescribe(deps, file, tables, file.label));
  }
  return fitDescription(creation, described, mostBytes);
}

function toDescribe(deps: Deps, file: DescribedFile, tables: BriefTable[], label?: string): FileToDescribe {
  const addresses = addressesOf(deps.config.siteUrl);
  const { asset_id: id, filename, format, bytes, content_sha256 } = file;
  const canAsk = tables.length > 0 && isReadInPart(deps, file);
  const facts = {
    ...{ asset_id: id, ...(label !== undefined && { label }), filename, format, bytes, content_sha256 },
    url: addresses.media(id, filename),
    rows_url: canAsk ? addresses.rows(id) : null,
    query_url: canAsk ? addresses.query(id) : null,
  };
  return { facts, tables, canAsk };
}
