import { buffer } from "node:stream/consumers";
import { type RaggedRecord, refuseRagged } from "../../../../../shared/tables/inspection/csv-faults.ts";
import { readHeader, refuseUnseenNames } from "../../../../../shared/tables/inspection/csv-header.ts";
import { FileRefused, type Verdict } from "../../../../../shared/tables/inspection/verdict.ts";
import { areCodes, typeOfCode, typeOfText } from "./cell-types.ts";
import { BROKEN } from "./csv-guard.ts";
import { readCsvRecords } from "./csv-records.ts";
import { describeColumns, describeTable } from "./table.ts";

/** Inspects a CSV source with all its records in memory. Throws `FileRefused` with the row and the mend. */
export async function inspectCsv(
  source: AsyncIterable<Uint8Array>,
  blockBytes?: number,
): Promise<Verdict & { ok: true }> {
  const file = await buffer(source);
  refuseOtherKinds(file);
  const read: Read = { names: null, records: [], ragged: [] };
  try {
    await readAll(read, readCsvRecords(once(file), blockBytes));
  } catch (error) {
    if (!(error instanceof FileRefused) || read.ragged.length === 0) throw error;
  }
  const { names, records, ragged } = read;
  if (ragged.length > 0) throw refuseRagged(names ?? [], ragged);
  if (names === null)
    throw new FileRefused("Row 1 is missing: the file is empty. Start it with the column names.");
  refuseUnseenNames(names);
  const codes = names.map((_, column) => areCodes(records.map((record) => record[column] ?? "")));
  const typed = records.map((record) =>
    record.map((text, column) =>
      text === "" ? null : { type: codes[column] ? typeOfCode(text) : typeOfText(text), text },
    ),
  );
  const columns = describeColumns(names, typed);
  const table = describeTable(
    columns,
    records.map((record) => JSON.stringify(record.map((text) => text || null))),
  );
  return { ok: true, ...table, tables: [], hints: [], readingIndex: null };
}

async function* once(file: Buffer): AsyncGenerator<Buffer> {
  yield file;
}

function refuseOtherKinds(file: Buffer): void {
  const text = file.toString().replace("\ufeff", "").trimStart();
  const begins = (words: string) => text.toLowerCase().startsWith(words);
  if (begins("version https://git-lfs.github.com/spec/"))
    throw new FileRefused(
      "Row 1 begins a pointer of Git LFS, not the data: git lfs pull brings the file that it stands for. Upload that.",
    );
  if (begins("<!doctype html") || begins("<html"))
    throw new FileRefused(
      "Row 1 begins a web page, not a table: a server sent HTML in place of the data. Upload the data itself.",
    );
}

interface Read {
  names: string[] | null;
  records: string[][];
  ragged: RaggedRecord[];
}

const isBroken = ([first]: string[]): boolean => first?.startsWith(BROKEN) ?? false;

const describe = (values: string[]) => ({
  cells: isBroken(values) ? null : values.length,
  isBlank: values.join() === "" && values.length === 1,
});

/** Reads the records, and stops where further ragged ones are not told. */
async function readAll(read: Read, batches: AsyncIterable<string[][]>): Promise<void> {
  let line = 1;
  for await (const batch of batches) {
    for (const values of batch) {
      if (read.names === null) read.names = readHeader(values);
      else if (read.records.push(values) > 0 && (isBroken(values) || values.length !== read.names.length)) {
        read.ragged.push({ row: read.records.length + 1, line, ...describe(values) });
        if (read.names.length < 2 || read.ragged.length >= 20) throw new FileRefused("enough");
      }
      line += values.join("").split("\n").length;
    }
  }
}
