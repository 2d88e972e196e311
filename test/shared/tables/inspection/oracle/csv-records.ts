import Papa from "papaparse";
import { createCsvGuard } from "./csv-guard.ts";
import { decodeUtf8 } from "./utf8-text.ts";

/**
 * The records of a CSV source in batches, the header first, each a list of values as written.
 * Blank lines at the end are left out. Throws `FileRefused` on what is not UTF-8 or not RFC 4180, naming the row.
 */
export async function* readCsvRecords(
  source: AsyncIterable<Uint8Array>,
  blockBytes?: number,
): AsyncGenerator<string[][]> {
  const guard = createCsvGuard();
  for await (const text of decodeUtf8(source, blockBytes, true)) {
    for (const piece of guard.take(text)) yield parsePiece(piece);
  }
  for (const piece of guard.finish()) yield parsePiece(piece);
}

/** Splits whole records into values; the guard has settled everything on which papaparse would guess. */
function parsePiece(piece: string): string[][] {
  const parser = new Papa.Parser({ delimiter: ",", newline: "\n" });
  // The last row is what follows the final line end: nothing.
  const result: Papa.ParseResult<string[]> = parser.parse(piece, 0, true);
  if (result.errors.length > 0) throw new Error("the CSV guard let a malformed record through");
  return result.data;
}
