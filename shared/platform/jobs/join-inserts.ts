/** A statement of the job engine, with its values. */
export interface Statement {
  text: string;
  values: unknown[];
}

// What pg-boss writes for a queue that wakes its workers: the jobs, the notification, and what of both is told.
const INSERT =
  /^\s*WITH ins AS \(([\s\S]*)\),\s*notified AS \(([\s\S]*)\)\s*(SELECT id FROM ins WHERE [\s\S]*)$/;
const NAMES = /\b(?:ins|notified)\b/g;

/**
 * One statement that does what several inserts of pg-boss do one after the other, in their order; those very ones where
 * one of them is not of the known form, as a new version may write another.
 */
export function joinInserts(statements: readonly Statement[]): readonly Statement[] {
  const found = statements.map(({ text }) => INSERT.exec(text));
  if (statements.length < 2 || found.some((one) => one === null)) return statements;
  const parts = found.map((one, n) => {
    const [inserted = "", notified = "", told = ""] = (one ?? []).slice(1).map((part) => rename(part, n));
    return { before: `ins_${n} AS (${inserted}), notified_${n} AS (${notified})`, told };
  });
  const before = parts.map((part) => part.before).join(", ");
  const text = `WITH ${before} ${parts.map(({ told }) => told).join(" UNION ALL ")}`;
  return [{ text, values: statements.flatMap(({ values }) => values) }];
}

/** Each has one value. */
function rename(part: string, n: number): string {
  return part.replace(NAMES, (name) => `${name}_${n}`).replaceAll("$1", () => `$${n + 1}`);
}
