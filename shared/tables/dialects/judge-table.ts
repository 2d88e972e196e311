import type { FieldErrors } from "../../ground/errors.ts";
import { regroupBytes } from "../inspection/byte-blocks.ts";
import { inspectCsv } from "../inspection/csv-table.ts";
import { collectHints, type Hint } from "../inspection/hints.ts";
import { inspectFile } from "../inspection/inspect.ts";
import { beginsAsJson } from "../inspection/other-kinds.ts";
import { describePartFault, FileRefused, type TableInspection, type Verdict } from "../inspection/verdict.ts";
import { convertJsonLines } from "./convert-json-lines.ts";
import { convertTable } from "./convert-table.ts";
import { type Dialect, DialectRefused, type Plan } from "./dialect.ts";
import { decodeBlocks, findDialect, START_BYTES } from "./encodings.ts";
import { explainRefusal } from "./explain-refusal.ts";
import { HEAD_BYTES, readHead } from "./file-head.ts";
import { findCommas } from "./find-commas.ts";
import { findPlans, toPlan } from "./find-plans.ts";
import { findEncoding, type OpenFile } from "./read-table.ts";

/** How the sender asked for a table to be read, and what bounds the reading. */
export interface ReadOptions {
  /** Null where nothing was named. */
  asked: Dialect | "auto" | null;
  /** A canonical file has at most so many bytes. */
  mostBytes: number;
  /** Whether a plan is sought for a refused file: it may be too large for that. */
  seeksPlan: boolean;
  /** Stores the canonical file, and opens it again once it is stored. */
  store(pieces: AsyncIterable<Uint8Array>): Promise<{ bytes: number; sha256: string }>;
  openStored: OpenFile;
}

/** What a file is read as, where that is not the file as sent; a list of objects has no dialect. */
export interface ReadAs {
  bytes: number;
  sha256: string;
  dialect: Dialect | null;
  plan: Plan | null;
}

/** The verdict on a table: its reading where it is not read as sent, or the plans by which it can be read. */
export type TableVerdict =
  | (Verdict & { ok: true; readAs: ReadAs | null })
  | { ok: false; reason: string; errors?: FieldErrors; plans: Plan[] };

/**
 * Reads a CSV file: as it is, by a dialect that is named or that its first bytes show, or by the one plan that is found
 * where the sender leaves the choice to the service. A refusal says how the file can be read.
 */
export async function judgeTable(open: OpenFile, options: ReadOptions): Promise<TableVerdict> {
  const { asked } = options;
  const named = asked === "auto" ? null : asked;
  try {
    const read = await inspectAsSent(open, named);
    if ("ok" in read) return { ...read, readAs: null };
    return await readBy(open, read, options, named === null ? await findTextHints(open, read) : null);
  } catch (error) {
    if (error instanceof DialectRefused)
      return { ok: false, reason: error.message, errors: error.faults, plans: [] };
    if (!(error instanceof FileRefused)) throw error;
    return await refuseWithPlans(open, error, options);
  }
}

const NOTHING = Buffer.alloc(0);

/** Inspects a table that is read as it is; else gives the dialect that is named, or that its first bytes show. */
async function inspectAsSent(
  open: OpenFile,
  named: Dialect | null,
): Promise<Dialect | (Verdict & { ok: true })> {
  const pieces = regroupBytes(open(), START_BYTES);
  try {
    const { value: first = NOTHING } = await pieces.next();
    if (beginsAsJson(first)) await refuseJson(open);
    return findDialect(first, named) ?? (await inspectCsv(goOn(first, pieces)));
  } finally {
    await pieces.return(undefined);
  }
}

/** Throws `FileRefused` for a whole file that is JSON, even where its rows are no CSV: another kind is their cause. */
async function refuseJson(open: OpenFile): Promise<void> {
  const isJson = (await inspectFile(open(), "json")).ok;
  if (isJson || (await holdsJsonLines(open)))
    throw new FileRefused(
      `Row 1 begins JSON, and the whole file is JSON${isJson ? "" : " Lines"}, whatever its name says. Upload it with a name that ends in ${isJson ? ".json" : ".jsonl"}.`,
    );
}

async function holdsJsonLines(open: OpenFile): Promise<boolean> {
  try {
    for await (const _ of convertJsonLines(open()));
    return true;
  } catch (error) {
    if (error instanceof FileRefused) return false;
    throw error;
  }
}

async function* goOn(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

/** Reads JSON Lines as the list of their objects, which is stored. */
export async function judgeLines(
  open: OpenFile,
  {
    store,
    openStored,
    partFrom,
  }: Pick<ReadOptions, "store" | "openStored"> & { partFrom?: number | undefined },
): Promise<TableVerdict> {
  let before: number | null = null;
  try {
    const pieces = convertJsonLines(open(), partFrom, (count) => {
      before = count;
    });
    const stored = await store(pieces);
    const verdict = await inspectFile(openStored(), "json");
    if (!verdict.ok) return { ok: false, reason: verdict.reason, plans: [] };
    const { row_count: count } = verdict.inspection as TableInspection;
    const added = before === null ? {} : { rowsAdded: count - before };
    return { ...verdict, ...added, readAs: { ...stored, dialect: null, plan: null } };
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    const reason = partFrom === undefined ? error.message : describePartFault(error.message);
    return { ok: false, reason, plans: [] };
  }
}

/** Accepts the one plan of a refused file where the sender asked for that; else the refusal, with the plans. */
async function refuseWithPlans(
  open: OpenFile,
  refusal: FileRefused,
  options: ReadOptions,
): Promise<TableVerdict> {
  const { asked, mostBytes, seeksPlan } = options;
  const named = asked === "auto" ? null : asked;
  const plans = seeksPlan && named === null ? await findPlans(open, mostBytes) : [];
  const [only, ...others] = plans;
  if (asked === "auto" && only !== undefined && others.length === 0)
    return await readBy(open, only.dialect, options, null);
  const reason = await explainRefusal(open, refusal, { named, plans, mostBytes, triesAdvice: seeksPlan });
  if (asked !== "auto" || only === undefined) return { ok: false, reason, plans };
  const sentence = `${reason} Two readings are possible: name the dialect of one of the plans.`;
  return { ok: false, reason: sentence, errors: { dialect: [sentence] }, plans };
}

/**
 * The hints of a file whose first bytes show its dialect, which nobody named: of its text, whose quotes are those of the
 * sender. Throws `FileRefused`, also for what only seems to be meant otherwise.
 */
async function findTextHints(open: OpenFile, dialect: Dialect): Promise<Hint[]> {
  let isWhole = true;
  async function* decode() {
    for await (const { bytes, fault } of decodeBlocks(open(), findEncoding(dialect))) {
      isWhole &&= fault === null;
      yield dialect.lineTerminator
        ? Buffer.from(bytes.toString("latin1").replace(/\r(?!\n)/g, "\n"), "latin1")
        : bytes;
    }
  }
  try {
    return (await inspectCsv(decode())).hints;
  } catch (error) {
    // What is no character is told by the conversion.
    if (isWhole || !(error instanceof FileRefused)) throw error;
    return [];
  }
}

/** Reads a table by a dialect; its hints are those of its text where there are some already. Throws `FileRefused`. */
async function readBy(
  open: OpenFile,
  dialect: Dialect,
  { mostBytes, store, openStored }: ReadOptions,
  textHints: Hint[] | null,
): Promise<TableVerdict> {
  const conversion = convertTable(open, dialect, mostBytes);
  const stored = await store(conversion.bytes);
  const converted = conversion.finish();
  const verdict = await inspectCsv(openStored(), { isNamed: true, sourceRow: converted.sourceRow });
  const plan = toPlan(converted, verdict.inspection as TableInspection);
  const commas =
    plan.columns.length === 1 ? findCommas(await readHead(open, dialect, HEAD_BYTES), dialect) : [];
  return {
    ...verdict,
    hints: textHints ?? collectHints([...commas, ...converted.hints, ...verdict.hints]),
    readAs: { ...stored, dialect: converted.dialect, plan },
  };
}
