import { stringifyJson } from "../../ground/raw-json.ts";
import type { Entry, Source, Zip } from "./zip.ts";

/** An archive that is being written, with its entries so far. */
export interface Archive {
  add(path: string, source: Source): Promise<Entry>;
  addText(path: string, text: string): Promise<Entry>;
  addJson(path: string, value: unknown): Promise<Entry>;
  entries: readonly Entry[];
}

/** Opens an archive over a ZIP; it records every entry that it adds. */
export function openArchive(zip: Zip): Archive {
  const entries: Entry[] = [];
  const add = async (path: string, source: Source) => {
    const entry = await zip.add(path, source);
    entries.push(entry);
    return entry;
  };
  const addText = (path: string, text: string) => add(path, [Buffer.from(text)]);
  return {
    add,
    addText,
    addJson: (path, value) => addText(path, `${stringifyJson(value, 2)}\n`),
    entries,
  };
}

/** Texts as the bytes of an entry. */
export async function* toBytes(texts: AsyncIterable<string> | Iterable<string>): AsyncIterable<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text);
}

/** Reads rows in pages, in the order of a key. */
export async function* eachRow<Row, Key>(
  start: Key,
  most: number,
  read: (after: Key, most: number) => Promise<readonly Row[]>,
  keyOf: (row: Row) => Key,
): AsyncGenerator<Row> {
  let after = start;
  for (;;) {
    const rows = await read(after, most);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < most) return;
    after = keyOf(last);
  }
}
