import { findReadingIndex } from "../../../sql/datasets/assets.ts";
import type { OpenFileRow } from "../../../sql/reading/open-files.ts";
import { validationFailed } from "../../ground/errors.ts";
import type { Requester } from "../../platform/concurrency/fair-semaphore.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Threads } from "../../platform/threads/open.ts";
import { ExportOverrun } from "../../platform/threads/rows-export.ts";
import type { RowsExport, RowsQuestion } from "../../platform/threads/table-reader.ts";
import type { RowsOutcome } from "../../tables/rows/page.ts";
import { planRows, type RowsRefusal } from "../../tables/rows/plan.ts";
import {
  type ParsedRowsQuery,
  parseExportQuery,
  parseRowsQuery,
  type RowsLimits,
  type RowsQuery,
} from "../../tables/rows/query.ts";
import type { ExportFormat } from "../../tables/rows/text-rows.ts";
import { findRowsFile } from "./table-files.ts";

/** The parameters of a question about rows, and who asks it. */
interface RowsRequest {
  parameters: URLSearchParams;
  requester: Requester;
}

/** Reads part of a published table (spec: Rows reader); throws 422 for unreadable parameters. */
export async function readPublicRows(
  deps: Deps,
  threads: Threads,
  file: OpenFileRow,
  { parameters, requester }: RowsRequest,
): Promise<RowsOutcome> {
  const parsed = parseRowsQuery(parameters, deps.config.limits);
  const question = await askAbout(deps, requester, file, parsed.query);
  refuseParsed(parsed, question);
  return await threads.readRows(question);
}

/** A table on its way out. Whoever does not read `bytes` calls `close`, which ends the reading of the file. */
export interface OpenExport {
  ok: true;
  bytes: AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Exports the matching rows of a published table as text. The first piece is read before it returns, the
 * others as the caller takes them. Throws 422 for unreadable parameters.
 */
export async function exportPublicRows(
  deps: Deps,
  threads: Threads,
  file: OpenFileRow,
  { parameters, requester }: RowsRequest,
  format: ExportFormat,
): Promise<OpenExport | RowsRefusal> {
  const parsed = parseExportQuery(parameters);
  const question = await askAbout(deps, requester, file, parsed.query);
  refuseParsed(parsed, question);
  const started = await threads.exportRows(question, format);
  return started.ok ? await continueExport(started) : started;
}

/** Reads the first piece of an export, so that what fails before it is still a refusal. */
export async function continueExport(started: RowsExport): Promise<OpenExport | RowsRefusal> {
  try {
    const first = await started.pieces.next();
    const close = async () => void (await started.pieces.return(undefined));
    return { ok: true, bytes: continueWith(first, started.pieces), close };
  } catch (error) {
    if (error instanceof ExportOverrun) return TOO_LONG;
    throw error;
  }
}

/** Throws every fault of a query at once, that of an unknown column or table too. */
function refuseParsed(parsed: ParsedRowsQuery, { file, query, limits }: RowsQuestion): void {
  if (parsed.ok) return;
  const plan = planRows(file, query, limits);
  throw validationFailed({ ...parsed.errors, ...(plan.ok ? {} : plan.errors) });
}

const TOO_LONG: RowsRefusal = {
  ok: false,
  code: "too_large_to_read",
  message: "The rows take too long to read. Download the file instead.",
  errors: {},
};

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

async function askAbout(
  deps: Deps,
  requester: Requester,
  row: OpenFileRow,
  query: RowsQuery,
): Promise<RowsQuestion> {
  const { rowsPerCall, rowsResponseBytes, jsonTableBytes } = deps.config.limits;
  const limits: RowsLimits = { rowsPerCall, rowsResponseBytes, jsonTableBytes };
  const loadIndex = (): Promise<Uint8Array | null> => findReadingIndex(deps.pool, row.asset_id);
  const file = await findRowsFile(deps, row);
  return { requester, key: row.asset_id, file, query, limits, loadIndex };
}
