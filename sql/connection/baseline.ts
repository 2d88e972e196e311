import { createHash } from "node:crypto";

/** The file that makes the schema of version 0.4.0; it stands for the 61 files by which that version made it. */
export const BASELINE = "0100_baseline.sql";

/** SHA-256 of the names of those 61 files with the SHA-256 of each, a line for each. */
const FILES_OF_0_4_0 = "54009a027f77380a6df67c5d3051c8657a34ff6afa3b63b1cc99a5155c86d9ff";

interface Row {
  name: string;
  sha256: string;
}

/**
 * What ran on a database, by the files of this code: where exactly the files of 0.4.0 ran, the baseline stands in their
 * place. Null for a database of before 0.4.0, which lacks some of them.
 */
export function sinceBaseline<R extends Row>(rows: readonly R[], baseline: R): R[] | null {
  const later = rows.filter(({ name }) => name >= BASELINE);
  const earlier = rows.filter(({ name }) => name < BASELINE);
  if (earlier.length === 0 || later.some(({ name }) => name === BASELINE)) return later;
  return isVersion040(earlier) ? [baseline, ...later] : null;
}

function isVersion040(rows: readonly Row[]): boolean {
  const lines = rows.map(({ name, sha256 }) => `${name} ${sha256}\n`).toSorted();
  return createHash("sha256").update(lines.join("")).digest("hex") === FILES_OF_0_4_0;
}
