import { readBlocks } from "./byte-blocks.ts";
import { inspectCsv } from "./csv-table.ts";
import { countLineFeeds, refuseByte } from "./encoding.ts";
import { inspectJson } from "./json-document.ts";
import { describePartFault } from "./part-places.ts";
import { type FileFormat, FileRefused, type InspectOptions, type Verdict } from "./verdict.ts";

/**
 * Reads a file once, as a stream, and returns its description or the reason for its refusal (spec: Asset,
 * file rules). A refusal is one sentence for the file's owner; an error of the source itself is thrown on.
 */
export async function inspectFile(
  source: AsyncIterable<Uint8Array>,
  format: FileFormat,
  options: InspectOptions = {},
): Promise<Verdict> {
  try {
    if (format === "csv") return await inspectCsv(source, options);
    if (format === "json") return await inspectJson(source, options);
    return await inspectText(source, options.blockBytes);
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    return {
      ok: false,
      reason: options.partFrom === undefined ? error.message : describePartFault(error.message),
    };
  }
}

async function inspectText(source: AsyncIterable<Uint8Array>, blockBytes?: number): Promise<Verdict> {
  let line = 1;
  for await (const { bytes, bad } of readBlocks(source, blockBytes)) {
    const nul = bytes.indexOf(0);
    line += countLineFeeds(nul === -1 ? bytes : bytes.subarray(0, nul));
    if (nul !== -1) throw new FileRefused(`Line ${line} holds a NUL character. Remove it.`);
    if (bad !== null) throw refuseByte(line, bad);
  }
  return { ok: true, inspection: null, inspectionJson: null, tables: [], hints: [], readingIndex: null };
}
