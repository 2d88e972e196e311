import { getCallSites } from "node:util";
import { sql } from "slonik";

/** Each statement is written once in the code; more texts would mean that values are built into them. */
const MOST_NAMES = 2_000;
// The call itself and the template; the next frames are the function that writes the statement and its
// callbacks.
const OWN_FRAMES = 2;
const FRAMES = 8;

const names = new Map<string, string>();
let areKept = false;

/** Starts recording which function writes which statement; only a process with traces needs it. */
export function keepStatementNames(): void {
  areKept = true;
}

/** The name of a statement in a trace: the function that writes it, else the first word of its text. */
export function nameStatement(text: string): string {
  return names.get(text) ?? /\w+/.exec(text)?.[0].toUpperCase() ?? "STATEMENT";
}

/** slonik's `sql.type`, whose statements are named after the function that writes them. */
export const typeNamed: typeof sql.type = (schema) => {
  const write = sql.type(schema);
  return (parts, ...values) => {
    const query = write(parts, ...values);
    // slonik numbers the values of a whole statement when it sends it.
    if (areKept) keepName(query.sql.replaceAll("$slonik_", "$"));
    return query;
  };
};

function keepName(text: string): void {
  if (names.has(text) || names.size >= MOST_NAMES) return;
  const writers = getCallSites(FRAMES).slice(OWN_FRAMES);
  const name = writers.find(({ functionName }) => functionName !== "")?.functionName;
  if (name !== undefined) names.set(text, name);
}
