import { randomInt } from "node:crypto";
import { checkTable, readValues } from "../../tables/dictionary/check-table.ts";
import { listTables } from "../../tables/dictionary/resolve.ts";
import type { TableBytes } from "../../tables/dictionary/table-bytes.ts";
import type { ReferencedColumn, RuleFault } from "../../tables/dictionary/table-rules.ts";
import type { ValueSet } from "../../tables/dictionary/value-set.ts";
import { decodeIndex, type ReadingIndex } from "../../tables/inspection/reading-index.ts";
import { buildIndex, collectBytes, findIndexedTable } from "../../tables/rows/read.ts";
import { runOnStoredFile } from "./stored-file.ts";
import type { CheckedTables, CheckTask, ThreadAnswer } from "./tasks.ts";

/** A file in memory; it is let go once its table is done. */
interface OpenFile {
  bytes: Buffer;
  index: ReadingIndex;
}

/** Looks up the rules of tables in their files, inside a thread. */
export async function checkInThread(task: CheckTask): Promise<ThreadAnswer<CheckedTables>> {
  const seed = randomInt(2 ** 31);
  const faults: RuleFault[] = [];
  const described: CheckedTables["described"] = [];
  for (const rules of task.tables) {
    const sets = new Map<string, ValueSet>();
    for (const { path, reference } of rules.columns) {
      const set = reference === null ? null : await readReferenced(task, reference, seed);
      if (set === "missing") return { found: false };
      if (set !== null) sets.set(path, set);
    }
    const opened = await openFile(task, rules.attachment);
    if (opened === null) return { found: false };
    const table = placeTable(task, opened, rules, seed);
    described.push(checkTable(rules, table, { sets, mayProve: true }, faults));
  }
  return { found: true, result: { faults, described } };
}

async function readReferenced(
  task: CheckTask,
  reference: ReferencedColumn,
  seed: number,
): Promise<ValueSet | "missing"> {
  const opened = await openFile(task, reference.attachment);
  if (opened === null) return "missing";
  const found = listTables(task.files[reference.attachment]?.file).find(
    ({ position }) => position === reference.position,
  );
  const tableColumns = found?.columns.map(({ name }) => name) ?? [];
  const table = placeTable(task, opened, reference, seed);
  return readValues({ tableColumns, rowCount: found?.rowCount ?? 0 }, table, reference);
}

async function openFile({ files }: CheckTask, attachment: number): Promise<OpenFile | null> {
  const asked = files[attachment];
  if (asked === undefined) throw new Error("a table to check has no file");
  const { key, file, readingIndex } = asked;
  const opened = await runOnStoredFile(key, async (source) => {
    const stored = readingIndex === null ? null : decodeIndex(readingIndex);
    const index = stored ?? (await buildIndex(source(), file.format));
    return { index, bytes: await collectBytes(source(), Buffer.allocUnsafeSlow(file.bytes + 1)) };
  });
  return opened.found ? opened.result : null;
}

function placeTable(
  { files }: CheckTask,
  { bytes, index }: OpenFile,
  { attachment, position }: { attachment: number; position: number | null },
  seed: number,
): TableBytes {
  const format = files[attachment]?.file.format ?? "csv";
  return { bytes, format, firstRowAt: findIndexedTable(index, { position }).offsets[0] ?? 0, seed };
}
