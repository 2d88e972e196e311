import {
  type FileFormat,
  FileRefused,
  type Verdict,
} from "../../../../../shared/tables/inspection/verdict.ts";
import { inspectCsv } from "./csv-table.ts";
import { inspectJson } from "./json-document.ts";

/** The verdict on a table or a document, by the parsers. `blockBytes` decides which of two far faults is told. */
export async function inspectByParsers(
  content: AsyncIterable<Uint8Array>,
  format: FileFormat,
  blockBytes: number | undefined,
): Promise<Verdict> {
  const inspect = format === "csv" ? inspectCsv : inspectJson;
  return await inspect(content, blockBytes).catch((fault: unknown) => {
    if (fault instanceof FileRefused) return { ok: false, reason: fault.message };
    throw fault;
  });
}
