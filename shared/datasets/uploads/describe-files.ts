import { type FileRow, findOpenDictionary } from "../../../sql/datasets/revision-files.ts";
import type { OpenFileRow } from "../../../sql/reading/open-files.ts";
import { addressesOf } from "../../ground/addresses.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Threads } from "../../platform/threads/open.ts";
import { addMeanings, type DictionaryMember } from "../../tables/dictionary/dictionary.ts";
import { NOT_TABULAR, type RowsRefusal } from "../../tables/rows/plan.ts";
import { type BriefTable, readBriefTable } from "../../tables/statistics/brief-columns.ts";
import { type FileToDescribe, fitDescription } from "../../tables/statistics/fit-description.ts";
import { isReadInPart, readDictionary } from "./public-files.ts";
import { readFileStats, TOO_LARGE_TO_MEASURE } from "./statistics.ts";

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
  const dictionary = await findOpenDictionary(deps.pool, file.asset_id);
  const stats = await readFileStats(deps, threads, file, dictionary);
  if (stats === null) return NOT_TABULAR;
  if (stats.length === 0) return TOO_LARGE_TO_MEASURE;
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
    const stats = (await readFileStats(deps, threads, file, file.dictionary)) ?? [];
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
