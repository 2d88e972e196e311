import { readBlocks, refuseByte } from "./byte-blocks.ts";
import { inspectCsv } from "./csv-table.ts";
import { inspectJson } from "./json-document.ts";
import { type FileFormat, FileRefused, type Verdict } from "./verdict.ts";

/**
 * Reads a file once, as a stream, and says what it is or why it is refused (spec: Asset, file rules).
 * A refusal is one sentence for the file's owner; an error of the source itself is thrown on.
 * `blockBytes` sets how much is decoded at once and never changes the outcome.
 */
export async function inspectFile(
  source: AsyncIterable<Uint8Array>,
  format: FileFormat,
  blockBytes?: number,
): Promise<Verdict> {
  try {
    if (format === "csv") return await inspectCsv(source, blockBytes);
    if (format === "json") return await inspectJson(source, blockBytes);
    return await inspectText(source, blockBytes);
  } catch (error) {
    if (error instanceof FileRefused) return { ok: false, reason: error.message };
    throw error;
  }
}

async function inspectText(source: AsyncIterable<Uint8Array>, blockBytes?: number): Promise<Verdict> {
  let line = 1;
  for await (const { bytes, badAt } of readBlocks(source, blockBytes)) {
    const nul = bytes.indexOf(0);
    line += countLineFeeds(nul === -1 ? bytes : bytes.subarray(0, nul));
    if (nul !== -1) throw new FileRefused(`Line ${line} holds a NUL character. Remove it.`);
    if (badAt !== null) throw refuseByte(line, badAt);
  }
  return { ok: true, inspection: null, inspectionJson: null, tables: [], hints: [], readingIndex: null };
}

function countLineFeeds(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}

const LINE_FEED = 0x0a;
