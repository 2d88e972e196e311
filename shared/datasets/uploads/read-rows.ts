import type { Db } from "../../../sql/connection/pool.ts";
import { type AssetRow, findAssetById, findReadingIndex } from "../../../sql/datasets/assets.ts";
import type { DisclosedFileRow, OpenFileRow } from "../../../sql/reading/open-files.ts";
import { notFound, validationFailed } from "../../ground/errors.ts";
import { findNameFaults } from "../../ground/nearest-name.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Threads } from "../../platform/threads/open.ts";
import { Overrun } from "../../platform/threads/pool.ts";
import type { RowsExport, RowsQuestion, StoredTable } from "../../platform/threads/table-reader.ts";
import { formatAsRead } from "../../tables/inspection/verdict.ts";
import { encodeCondition } from "../../tables/questions/write-question.ts";
import type { RowsOutcome } from "../../tables/rows/page.ts";
import {
  chooseTableNumber,
  hasWholeTable,
  planExport,
  planRows,
  type RowsFile,
  type RowsRefusal,
  refuse,
} from "../../tables/rows/plan.ts";
import {
  type ParsedRowsQuery,
  parseExportQuery,
  parseRowsQuery,
  type RowsQuery,
} from "../../tables/rows/query.ts";
import type { ExportFormat } from "../../tables/rows/text-rows.ts";
import { readTables } from "./public-files.ts";

/** A file and the key of the bytes that are read of it: those of its canonical form where it has one. */
export interface KeyedFile extends RowsFile {
  key: string;
}

/** The facts about a file that the table reader needs. Throws `not_found` for a file that was deleted meanwhile. */
export async function findRowsFile(
  { pool }: { pool: Db },
  { asset_id: id }: Pick<OpenFileRow, "asset_id">,
): Promise<KeyedFile> {
  const found = await findAssetById(pool, id);
  if (found === null) throw notFound("published file");
  return toRowsFile(found);
}

/**
 * The table reader's facts from given inspection results, without sample and outline, which are most of them.
 */
export function toRowsFile(
  found: Pick<AssetRow, "id" | "format" | "bytes" | "inspection" | "tables" | "canonical">,
): KeyedFile {
  const { id, format, canonical } = found;
  const inspection: RowsFile["inspection"] = found.inspection === null ? null : JSON.parse(found.inspection);
  const read = { key: canonical?.file_id ?? id, bytes: canonical?.bytes ?? found.bytes };
  return {
    ...read,
    format: formatAsRead(format),
    inspection: keepColumns(inspection),
    tables: readTables(found.tables),
  };
}

/** The table that `table` names, where no other parameter may be sent. Throws 422 with every fault of the parameters. */
export function readTableParameter(file: RowsFile, parameters: URLSearchParams) {
  const faults = findNameFaults([...parameters.keys()], ["table"]);
  const chosen = chooseTableNumber(file, parameters.get("table"));
  if (Object.keys(faults).length > 0)
    throw validationFailed({ ...faults, ...(chosen.ok ? {} : chosen.errors) });
  return chosen;
}

function keepColumns(inspection: RowsFile["inspection"]): RowsFile["inspection"] {
  if (inspection?.kind !== "table") return inspection === null ? null : { kind: inspection.kind };
  const { kind, row_count, columns } = inspection;
  return { kind, row_count, columns };
}

/** Reads part of a published table (spec: Rows reader), and says of what; throws 422 for unreadable parameters. */
export async function readPublicRows(
  deps: Deps,
  threads: Threads,
  file: DisclosedFileRow,
  {
    query,
    rowBytes,
  }: {
    query: URLSearchParams;
    /** The most bytes of rows, where the answer says that they cut it; null: those of every answer. */
    rowBytes: number | null;
  },
): Promise<RowsOutcome> {
  const parsed = parseRowsQuery(query, deps.config.limits);
  const question = await askAbout(deps, file, parsed.query);
  refuseParsed(parsed, question);
  if (rowBytes !== null)
    question.limits = { ...question.limits, rowsResponseBytes: rowBytes, notesCut: true };
  const answer = await threads.readRows(question);
  if (!answer.ok) return answer;
  const { read_sha256, revision_number } = file;
  const filter = parsed.query.filters.map(encodeCondition);
  const about = `"filter":[${filter}],"content_sha256":"${read_sha256}","revision_number":${revision_number}`;
  return { ok: true, json: Buffer.concat([answer.json.subarray(0, -1), Buffer.from(`,${about}}`)]) };
}

/** A table on its way out. Whoever does not read `bytes` calls `close`, which ends the reading of the file. */
export interface OpenExport {
  ok: true;
  bytes: AsyncIterable<Uint8Array>;
  close(): Promise<void>;
  /** Whether it has every row and column of its table. */
  isWhole: boolean;
}

/**
 * Exports the matching rows of a published table as text. The first piece is read before it returns, the
 * others as the caller takes them. Throws 422 for unreadable parameters.
 */
export async function exportPublicRows(
  deps: Deps,
  threads: Threads,
  file: OpenFileRow,
  parameters: URLSearchParams,
  format: ExportFormat,
): Promise<OpenExport | RowsRefusal> {
  const parsed = parseExportQuery(parameters, format);
  const question = await askAbout(deps, file, parsed.query);
  refuseParsed(parsed, question);
  const started = await threads.exportRows(question, format);
  if (!started.ok) return started;
  const plan = planExport(question.file, question.query, question.limits);
  return await continueExport(started, plan.ok && hasWholeTable(plan));
}

/** Reads the first piece of an export, so that what fails before it is still a refusal. */
export async function continueExport(
  started: RowsExport,
  isWhole = false,
): Promise<OpenExport | RowsRefusal> {
  try {
    const first = await started.pieces.next();
    const close = async () => void (await started.pieces.return(undefined));
    return { ok: true, bytes: continueWith(first, started.pieces), close, isWhole };
  } catch (error) {
    if (error instanceof Overrun) return TOO_LONG;
    throw error;
  }
}

/** Throws every fault of a query at once, that of an unknown column or table too. */
function refuseParsed(parsed: ParsedRowsQuery, { file, query, limits }: RowsQuestion): void {
  if (parsed.ok) return;
  const plan = planRows(file, query, limits);
  throw validationFailed({ ...parsed.errors, ...(plan.ok ? {} : plan.errors) });
}

const TOO_LONG = refuse("too_large_to_read", "The rows take too long to read. Download the file instead.");

async function* continueWith(
  first: IteratorResult<Uint8Array>,
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    if (first.done !== true) yield first.value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

async function askAbout(deps: Deps, row: OpenFileRow, query: RowsQuery): Promise<RowsQuestion> {
  return { ...(await toStoredTable(deps, row)), query, limits: deps.config.limits };
}

/** A file as questions about its tables take it. Throws `not_found` for one that was deleted meanwhile. */
export async function toStoredTable(
  deps: Deps,
  row: Pick<OpenFileRow, "asset_id" | "format">,
): Promise<StoredTable> {
  const loadIndex = () => findReadingIndex(deps.pool, row.asset_id);
  const file = await findRowsFile(deps, row);
  return { key: file.key, file, loadIndex };
}
