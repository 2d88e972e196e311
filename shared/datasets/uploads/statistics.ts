import { decodeTime } from "ulid";
import { findAssetById, findReadingIndex } from "../../../sql/datasets/assets.ts";
import { findOpenDictionary } from "../../../sql/datasets/revision-files.ts";
import {
  findTableStats,
  listTableStats,
  MISSING_MEMBER,
  type StatsKey,
  saveDescribedStats,
  saveStats,
} from "../../../sql/datasets/statistics.ts";
import type { OpenFileRow } from "../../../sql/reading/open-files.ts";
import { sha256 } from "../../ground/checksum.ts";
import { httpError } from "../../ground/errors.ts";
import { workInPlace } from "../../platform/concurrency/places.ts";
import type { Deps } from "../../platform/deps.ts";
import { FileMissing } from "../../platform/files/store.ts";
import type { Threads } from "../../platform/threads/open.ts";
import { forEachPart } from "../../platform/threads/time-limits.ts";
import type { DictionaryMember } from "../../tables/dictionary/dictionary.ts";
import { hasUnboundedRows, type RowsFile, type RowsRefusal, refuse } from "../../tables/rows/plan.ts";
import { STATS_VERSION } from "../../tables/statistics/measure-table.ts";
import { findRowsFile, type KeyedFile, readTableParameter, toRowsFile } from "./read-rows.ts";

/** A job that no worker did within this time is lost: the next reader of the page starts the measurement. */
const LOST_JOB_MS = 60_000;
/** How soon readers come back for the statistics of a large file. */
const RETRY_SECONDS = 5;

/** The key of a file's statistics under its dictionary as it is stored. */
export function keyOf(id: string, dictionary: string | null): StatsKey {
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
  const isTooLarge = hasUnboundedRows(file, deps.config.limits.queryBytes);
  const readingIndex = await findReadingIndex(deps.pool, id);
  const key = keyOf(id, dictionary);
  const said = key.dictionarySha256 === null ? null : (JSON.parse(dictionary ?? "") as DictionaryMember);
  // A file that takes too long is not tried again: its list of tables stays empty.
  const measured =
    (isTooLarge ? null : await threads.measure({ key: file.key, file, readingIndex, dictionary: said })) ??
    NOTHING;
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
  if (!known?.measured && (await measureNow(deps, threads, of, rowsFile))) known = await find();
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
  await measureNow(deps, threads, { id, dictionary }, rowsFile);
  return [...((await find()) ?? [])];
}

/**
 * Measures a file while its reader waits. Throws 503 for a large one, which is measured behind it: by the worker that has
 * been told to, and here where that one is lost or where nobody was.
 */
async function measureNow(
  deps: Deps,
  threads: Threads,
  of: { id: string; dictionary: string | null },
  file: KeyedFile,
): Promise<boolean> {
  const measuring = () => measure(deps, threads, of, file);
  if (file.bytes <= deps.config.limits.queryBytes) return await measuring();
  const isOrdered = keyOf(of.id, of.dictionary).dictionarySha256 === null;
  if (!isOrdered || isLost(deps, { created_at: decodeTime(of.id), bytes: file.bytes }))
    workInPlace(null, measuring).catch(() => {});
  throw httpError(503, "The statistics of this file are being made; ask again in a moment.", RETRY_SECONDS);
}

/** Whether nobody measures a file any more that a worker was told to. */
export function isLost(deps: Deps, { created_at, bytes }: { created_at: number; bytes: number }): boolean {
  return deps.now() - created_at > forEachPart(LOST_JOB_MS, bytes);
}

/** The refusal of a file whose statistics were tried and not made. */
export const TOO_LARGE_TO_MEASURE = refuse(
  "too_large_to_read",
  "The statistics of this file take too long to make. Download the file instead.",
);

/** Whether a file has tables to measure. */
export function hasTables({ inspection, tables }: Pick<RowsFile, "inspection" | "tables">): boolean {
  return inspection?.kind === "table" || tables.length > 0;
}
