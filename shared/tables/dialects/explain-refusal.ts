import { inspectCsv } from "../inspection/csv-table.ts";
import { FileRefused, writeAdvice } from "../inspection/verdict.ts";
import { convertTable } from "./convert-table.ts";
import { type Dialect, DialectRefused, type Plan } from "./dialect.ts";
import { findDialect, readStart, settleDialect, UTF_8, WINDOWS_1252 } from "./encodings.ts";
import { readHead } from "./file-head.ts";
import { type Cause, findCause } from "./find-cause.ts";
import { findFileEncoding } from "./plan-encoding.ts";
import type { OpenFile } from "./read-table.ts";

/** How a refused file was read, and what is known of other readings. */
export interface RefusedReading {
  /** Null where nothing was named. */
  named: Dialect | null;
  plans: readonly Plan[];
  mostBytes: number;
  /** Whether what a sentence advises is tried: the file may be too large for that. */
  triesAdvice: boolean;
}

/** The bytes in which a cause is sought; of a larger file it is told as it seems. */
const CAUSE_BYTES = 16_777_216;

/**
 * The sentence of a refusal, with the cause in the place of its mend where the file shows one. A dialect that it says to
 * send reads the file; of another one it says what stands against it.
 */
export async function explainRefusal(
  open: OpenFile,
  { message, fault, advice }: FileRefused,
  reading: RefusedReading,
): Promise<string> {
  const { named, plans } = reading;
  if (fault === null) return await writeTried(open, advice ?? { says: message }, reading);
  const known = findDialect(await readStart(open), named);
  const isForeign = known === null && (await findFileEncoding(open)) !== UTF_8;
  // Separators and quotes are the same bytes in nearly every encoding.
  const dialect = known ?? (isForeign ? { encoding: WINDOWS_1252 } : {});
  const cause = findCause(await readHead(open, dialect, CAUSE_BYTES), dialect);
  const told = cause === null ? { says: message } : { ...cause, says: `${fault} ${cause.says}` };
  const isTried = plans.length > 0 || (reading.triesAdvice && told.dialect !== undefined);
  const more = isForeign && !isTried ? " The file is no UTF-8 text either: name its encoding too." : "";
  return `${await writeTried(open, told, reading)}${more}`;
}

async function writeTried(
  open: OpenFile,
  { says, dialect: more, otherwise = "." }: Cause,
  reading: RefusedReading,
): Promise<string> {
  const [plan] = reading.plans;
  if (more === undefined)
    return plan === undefined
      ? says
      : `${says} Or send it with the dialect ${JSON.stringify(abridge(plan.dialect))}.`;
  if (plan !== undefined) return writeAdvice({ says, dialect: abridge(plan.dialect), otherwise });
  const dialect = { ...reading.named, ...more };
  const obstacle = reading.triesAdvice ? await findObstacle(open, dialect, reading) : null;
  return obstacle === null
    ? writeAdvice({ says, dialect, otherwise })
    : `${says} With the dialect ${JSON.stringify(dialect)} it is refused as well: ${obstacle}`;
}

/** A dialect without what it says by default. */
function abridge({ columns: _, delimiter, ...others }: Dialect): Dialect {
  return delimiter === "," && Object.keys(others).length > 0 ? others : { delimiter, ...others };
}

/** Why a file is refused by a dialect; null where it is a sound table. */
async function findObstacle(
  open: OpenFile,
  dialect: Dialect,
  reading: RefusedReading,
): Promise<string | null> {
  try {
    const settled = settleDialect(await readStart(open), dialect);
    await inspectCsv(convertTable(open, settled, reading.mostBytes).bytes, { isNamed: true });
    return null;
  } catch (error) {
    if (error instanceof DialectRefused) return error.message;
    if (!(error instanceof FileRefused)) throw error;
    return await explainRefusal(open, error, { ...reading, named: dialect, plans: [] });
  }
}
