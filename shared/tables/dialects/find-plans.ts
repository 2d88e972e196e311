import { inspectFile } from "../inspection/inspect.ts";
import { FileRefused, type TableInspection } from "../inspection/verdict.ts";
import { type Conversion, convertTable } from "./convert-table.ts";
import { type Converted, type Dialect, DialectRefused, type Plan } from "./dialect.ts";
import { detectImplicit, readStart, UTF_8 } from "./encodings.ts";
import { HEAD_BYTES, readHead } from "./file-head.ts";
import type { TableHooks } from "./follow-table.ts";
import { findCandidates } from "./plan-candidates.ts";
import { findFileEncoding } from "./plan-encoding.ts";
import { haveSingleQuotes } from "./quoting.ts";
import type { OpenFile } from "./read-table.ts";
import { SHOWS } from "./split-state.ts";

const MOST_PLANS = 2;
const SAMPLE_ROWS = 3;

/**
 * The dialects under which a file is a sound table: one, or the likely and another. None where there is no such dialect,
 * or more of them: then its sender has to name one.
 */
export async function findPlans(open: OpenFile, mostBytes: number): Promise<Plan[]> {
  const { delimiter: _, ...implicit } = detectImplicit(await readStart(open)) ?? {};
  const encoding = implicit.encoding ?? (await findFileEncoding(open));
  if (encoding === null) return [];
  const head = await readHead(open, { ...implicit, ...(encoding !== UTF_8 && { encoding }) }, HEAD_BYTES);
  const candidates = findCandidates(head);
  // Single quotes are read where they are named.
  if (candidates.length > MOST_PLANS || haveSingleQuotes(head, implicit)) return [];
  const plans: Plan[] = [];
  for (const candidate of candidates) {
    const plan = await tryDialect(open, candidate, mostBytes);
    if (plan !== null) plans.push(plan);
  }
  // The reading that fails further on may be the one that was meant.
  return plans.length === candidates.length ? plans : [];
}

async function tryDialect(open: OpenFile, dialect: Dialect, mostBytes: number): Promise<Plan | null> {
  const conversion = convertTable(open, dialect, mostBytes, refuseDoubtful(dialect));
  const verdict = await inspectConverted(conversion);
  if (verdict === null) return null;
  const converted = conversion.finish();
  const { decimalChar, groupChar, columns, ...unmarked } = converted.dialect;
  // Further on the columns hold other cells than numbers.
  if ((decimalChar || groupChar) && columns?.length === 0) return tryDialect(open, unmarked, mostBytes);
  return toPlan(converted, verdict.inspection);
}

/** What a reading makes of a file, as plans and the answers about files have it. */
export function toPlan(
  { names, hints: _, sourceRow: __, ...reading }: Converted,
  inspection: TableInspection,
): Plan {
  return {
    ...reading,
    columns: names.map((name, at) => ({ ...name, type: inspection.columns[at]?.type ?? "blank" })),
    row_count: inspection.row_count,
    sample: inspection.sample.slice(0, SAMPLE_ROWS).map((row) => row.map((cell) => cell as string | null)),
  };
}

/** The inspection of the canonical bytes; null where there are none, or they are refused. */
async function inspectConverted(conversion: Conversion): Promise<{ inspection: TableInspection } | null> {
  try {
    const verdict = await inspectFile(conversion.bytes, "csv", { isNamed: true });
    return verdict.ok && verdict.inspection?.kind === "table" ? { inspection: verdict.inspection } : null;
  } catch (error) {
    if (error instanceof DialectRefused) return null;
    throw error;
  }
}

const QUOTE = 0x22;

/** Refuses what a sender may mean and nobody proposes: values in which a quote seems to stray or to swallow a row. */
function refuseDoubtful({ delimiter = "," }: Dialect): TableHooks["shows"] {
  return (bytes, start, end, shows) => {
    const value = bytes.subarray(start, end);
    const isStray =
      (shows & SHOWS.quote) !== 0 && countBytes(value, QUOTE) % 2 === 1 && value.at(-1) !== QUOTE;
    const isRow = (shows & SHOWS.lineEnd) !== 0 && value.includes(delimiter);
    if (isStray || isRow) throw new FileRefused("A quote seems to be missing.");
  };
}

function countBytes(bytes: Uint8Array, byte: number): number {
  let count = 0;
  for (const one of bytes) if (one === byte) count++;
  return count;
}
