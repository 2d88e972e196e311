import { randomInt } from "node:crypto";
import { diffTables, type FoundDiff } from "../core/diff/diff-tables.ts";
import type { DiffPlan } from "../core/diff/plan-diff.ts";
import { openSide, type TableSide } from "../core/diff/table-side.ts";
import type { RowsRefusal } from "../core/rows/plan.ts";
import type { TableDiffTask, ThreadAnswer } from "./tasks.ts";

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
