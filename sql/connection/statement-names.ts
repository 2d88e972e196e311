import { getCallSites } from "node:util";
import { sql } from "slonik";

/** Statements are written once each; more texts than this would be made up from values, which none is. */
const MOST_NAMES = 2_000;
// The call itself, the template and where the statement is written, with the callbacks around it.
const OWN_FRAMES = 2;
const FRAMES = 8;

const names = new Map<string, string>();
let areKept = false;

/** Remembers from now on which function writes which statement; a process without traces need not. */
export function keepStatementNames(): void {
  areKept = true;
}

/** What a statement is called in a trace: the function that writes it, else the first word of its text. */
export function nameStatement(text: string): string {
  return names.get(text) ?? /\w+/.exec(text)?.[0].toUpperCase() ?? "STATEMENT";
}

/** slonik's `sql.type`, whose statements have the name of the function that writes them. */
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
