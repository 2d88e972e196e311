import { treeHashes } from "../../shared/text/transparency-log/oracle/verify-log.ts";

type Query = (text: string) => Promise<Record<string, string>[]>;

/** 16: every checkpoint that was ever committed has the root of the entries that are there now. */
export async function checkLog(query: Query): Promise<{ violations: string[]; checks: number }> {
  const entries = await query(
    "SELECT index, encode(entry, 'base64') AS entry FROM log_entries ORDER BY index",
  );
  const checkpoints = await query("SELECT size, note FROM log_checkpoints ORDER BY size");
  const bytes = entries.map(({ entry = "" }) => Buffer.from(entry, "base64"));
  const roots = treeHashes(
    bytes,
    checkpoints.map(({ size }) => Number(size)),
  );
  const violations = checkpoints.flatMap(({ size, note = "" }) => {
    const root = roots.get(Number(size))?.toString("base64");
    const isRight = note.split("\n").slice(1, 3).join() === `${size},${root}`;
    return isRight ? [] : [`16. the checkpoint of ${size} entries has another root`];
  });
  return { violations, checks: checkpoints.length };
}
