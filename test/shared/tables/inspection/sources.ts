import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { inspectFile } from "../../../../shared/tables/inspection/inspect.ts";
import type {
  FileFormat,
  Inspection,
  TableInspection,
  Verdict,
} from "../../../../shared/tables/inspection/verdict.ts";

/** The bytes as a stream, cut into chunks of the given sizes in turn. */
export async function* streamBytes(
  content: string | Uint8Array,
  sizes: number[] = [65_536],
): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  let from = 0;
  for (let turn = 0; from < bytes.length; turn++) {
    const size = Math.max(sizes[turn % sizes.length] ?? 1, 1);
    yield bytes.subarray(from, from + size);
    from += size;
  }
}

/** The same as a file store gives them to a thread: a chunk is spoiled as soon as the next one is asked for. */
export async function* streamOnce(
  content: string | Uint8Array,
  sizes?: number[],
): AsyncGenerator<Uint8Array> {
  for await (const bytes of streamBytes(content, sizes)) {
    const chunk = Uint8Array.from(bytes);
    yield chunk;
    chunk.fill(0xff);
  }
}

/** Inspects a content given whole. */
export function inspect(content: string | Uint8Array, format: FileFormat): Promise<Verdict> {
  return inspectFile(streamOnce(content), format);
}

/** The verdict on an accepted file. */
export async function inspectAccepted(content: string | Uint8Array, format: FileFormat) {
  const verdict = await inspect(content, format);
  if (!verdict.ok) throw new Error(`refused: ${verdict.reason}`);
  return verdict;
}

/** The inspection of an accepted table. */
export async function inspectTable(
  content: string | Uint8Array,
  format: FileFormat,
): Promise<TableInspection> {
  const { inspection } = await inspectAccepted(content, format);
  if (inspection?.kind !== "table") throw new Error("not a table");
  return inspection;
}

/** The reason of a refused file. */
export async function reasonOf(content: string | Uint8Array, format: FileFormat): Promise<string> {
  const verdict = await inspect(content, format);
  if (verdict.ok) throw new Error("accepted");
  return verdict.reason;
}

/** Names of a table's columns, or null for a document. */
export function columnNames(inspection: Inspection | null): string[] | null {
  return inspection?.kind === "table" ? inspection.columns.map((column) => column.name) : null;
}

const CORPORA = resolve(import.meta.dirname, "../../../../../shared/corpora");

/** One of the outside world's collections, or null (said aloud) where they are not at hand. */
export function readCorpus<Shape>(name: string): Shape | null {
  const path = resolve(CORPORA, name);
  if (existsSync(path)) return JSON.parse(readFileSync(path, "utf8"));
  console.warn(`SKIPPED: the corpus ${name} is not at hand`);
  return null;
}

/** A file of the vega-datasets package, or null where it has none of that name. */
export function readDataset(path: string): Buffer | null {
  const whole = resolve(import.meta.dirname, "../../../../node_modules/vega-datasets", path);
  return existsSync(whole) ? readFileSync(whole) : null;
}

/** The names of the data files with an ending in the vega-datasets package that have so many bytes at most. */
export function listDatasets(ending: string, mostBytes: number): string[] {
  const folder = resolve(import.meta.dirname, "../../../../node_modules/vega-datasets/data");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter(
    (name) => name.endsWith(`.${ending}`) && statSync(resolve(folder, name)).size <= mostBytes,
  );
}

/** The bytes of a case of a collection. */
export interface CorpusCase {
  name: string;
  text?: string;
  base64?: string;
  repeat?: { unit: string; times: number; then: string };
}

export function contentOf(one: CorpusCase): Buffer {
  if (one.base64 !== undefined) return Buffer.from(one.base64, "base64");
  if (one.repeat !== undefined)
    return Buffer.from(one.repeat.unit.repeat(one.repeat.times) + one.repeat.then);
  return Buffer.from(one.text ?? "");
}
