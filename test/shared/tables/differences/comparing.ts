import { openSide, type TableSide } from "../../../../shared/tables/differences/compare-rows.ts";
import {
  type DiffInput,
  diffTables,
  type FoundDiff,
} from "../../../../shared/tables/differences/diff-tables.ts";
import {
  type DiffAsked,
  type DiffLimits,
  type DiffPlan,
  planDiff,
} from "../../../../shared/tables/differences/plan-diff.ts";
import type { FileFormat } from "../../../../shared/tables/inspection/verdict.ts";
import type { RowsRefusal } from "../../../../shared/tables/rows/plan.ts";
import { buildIndex } from "../../../../shared/tables/rows/windows.ts";
import { streamOnce } from "../inspection/sources.ts";
import { prepareFile, type ReadyFile } from "../rows/reading.ts";

export const DIFF_LIMITS: DiffLimits = { jsonTableBytes: 5_000_000, queryBytes: 67_108_864 };
const NOTHING_ASKED: DiffAsked = { table: null, key: null, preferredKey: null, columns: null };

/** Two prepared files that were compared. */
export interface Compared {
  ok: true;
  plan: DiffPlan;
  input: DiffInput;
  found: FoundDiff;
}

/** Compares two files as the threads do. */
export async function compareReady(
  base: ReadyFile,
  head: ReadyFile,
  asked: Partial<DiffAsked> = {},
  limits: DiffLimits = DIFF_LIMITS,
): Promise<Compared | RowsRefusal> {
  const plan = planDiff(base.file, head.file, { ...NOTHING_ASKED, ...asked }, limits);
  if (!plan.ok) return plan;
  const { columns, key, preferredKey } = plan;
  const sides = { base: await toSide(base, plan.base), head: await toSide(head, plan.head) };
  const input = { ...sides, columns, key, preferredKey, seed: 7 };
  const found = diffTables(input);
  return found.ok ? { ok: true, plan, input, found } : found;
}

/** Compares two texts of one format. */
export async function compareTexts(
  base: string,
  head: string,
  format: FileFormat = "csv",
  asked: Partial<DiffAsked> = {},
): Promise<Compared> {
  const outcome = await compareReady(await prepareFile(base, format), await prepareFile(head, format), asked);
  if (!outcome.ok)
    throw new Error(`refused: ${outcome.code} ${outcome.message} ${JSON.stringify(outcome.errors)}`);
  return outcome;
}

/** Compares two texts that are refused. */
export async function compareRefused(
  base: string,
  head: string,
  format: FileFormat = "csv",
  asked: Partial<DiffAsked> = {},
): Promise<RowsRefusal> {
  const outcome = await compareReady(await prepareFile(base, format), await prepareFile(head, format), asked);
  if (outcome.ok) throw new Error("accepted");
  return outcome;
}

async function toSide(ready: ReadyFile, { position, ...planned }: DiffPlan["base"]): Promise<TableSide> {
  const { format } = ready.file;
  const index = ready.index ?? (await buildIndex(streamOnce(ready.content), format));
  const firstRowAt = index.tables.find((table) => table.position === position)?.offsets[0] ?? 0;
  const bytes = Buffer.concat([ready.content, Buffer.from("\n")]);
  return openSide({
    ...{ format, firstRowAt, bytes },
    ...{ tableColumns: planned.tableColumns, rowCount: planned.total },
  });
}
