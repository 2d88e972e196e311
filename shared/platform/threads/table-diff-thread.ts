import { randomInt } from "node:crypto";
import { diffTables, type FoundDiff } from "../../tables/differences/diff-tables.ts";
import { type DiffView, openView } from "../../tables/differences/diff-view.ts";
import type { DiffPlan } from "../../tables/differences/plan-diff.ts";
import { openSide, type TableSide } from "../../tables/differences/table-side.ts";
import { type DiffExportState, writeDiffPage, writeDiffPiece } from "../../tables/differences/write-diff.ts";
import type { RowsRefusal } from "../../tables/rows/plan.ts";
import type { DiffPageTask, DiffPieceTask, TableDiffTask, ThreadAnswer } from "./tasks.ts";

/** Finds what changed between two tables, inside a thread. */
export function diffTablesInThread(task: TableDiffTask): ThreadAnswer<FoundDiff | RowsRefusal> {
  const { plan } = task;
  const { columns, key, preferredKey } = plan;
  const [base, head] = [openTaskSide(plan, "base", task), openTaskSide(plan, "head", task)];
  const seed = randomInt(2 ** 31);
  return { found: true, result: diffTables({ base, head, columns, key, preferredKey, seed }) };
}

function openTaskSide(plan: DiffPlan, name: "base" | "head", task: TableDiffTask): TableSide {
  const { tableColumns, total } = plan[name];
  const { bytes, firstRowAt } = task[name];
  return openSide({
    ...{ format: plan.format, tableColumns, rowCount: total },
    ...{ bytes: Buffer.from(bytes), firstRowAt },
  });
}

/** Writes one page of what changed, inside a thread. */
export function writeDiffPageInThread(task: DiffPageTask): ThreadAnswer<Uint8Array> {
  return { found: true, result: writeDiffPage(openTaskView(task), task.files, task.part) };
}

/** Writes a piece of what changed, inside a thread. */
export function writeDiffPieceInThread(
  task: DiffPieceTask,
): ThreadAnswer<{ text: Uint8Array; state: DiffExportState }> {
  const { format, state, wish } = task;
  const isWhole = wish.columns === null;
  return { found: true, result: writeDiffPiece(openTaskView(task), format, { isWhole, state }) };
}

function openTaskView({ plan, found, base, head, wish }: DiffPageTask | DiffPieceTask): DiffView {
  const toSide = (name: "base" | "head", bytes: SharedArrayBuffer, starts: Uint32Array): TableSide => ({
    ...{ format: plan.format, tableColumns: plan[name].tableColumns, rowCount: plan[name].total },
    ...{ bytes: Buffer.from(bytes), firstRowAt: starts[0] ?? 0, starts },
  });
  const sides = {
    base: toSide("base", base, found.baseStarts),
    head: toSide("head", head, found.headStarts),
  };
  return openView(plan, found, sides, wish);
}
