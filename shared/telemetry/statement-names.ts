/** What a statement does and to which table: all that a trace tells of it. */
export interface StatementName {
  verb: string;
  table: string | null;
}

/** Statements are written once each; more texts than this would be made up from values, which none is. */
const MOST_NAMES = 2_000;
const known = new Map<string, StatementName>();

const VERB = /\b(?:SELECT|INSERT|UPDATE|DELETE|MERGE|TRUNCATE)\b/i;
const NAME = String.raw`"?([a-z_][\w.]*)"?`;
/** `IS DISTINCT FROM` compares, and a name before a bracket is a function's. */
const SOURCE = new RegExp(
  String.raw`(?<!\bDISTINCT\s+)\b(?:FROM|JOIN)\s+(?:ONLY\s+)?${NAME}(?!\w*\s*\()`,
  "gi",
);
const TARGETS: Record<string, RegExp> = {
  INSERT: new RegExp(String.raw`\bINTO\s+${NAME}`, "i"),
  UPDATE: new RegExp(String.raw`\bUPDATE\s+(?:ONLY\s+)?${NAME}`, "i"),
};

/** The verb of a statement and the first table that it is about, read from its text without its values. */
export function nameStatement(text: string): StatementName {
  const before = known.get(text);
  if (before !== undefined) return before;
  const name = readName(text);
  if (known.size < MOST_NAMES) known.set(text, name);
  return name;
}

function readName(text: string): StatementName {
  const plain = text.replace(/--.*$/gm, " ").replace(/'(?:[^']|'')*'/g, "''");
  const outer = dropBrackets(plain);
  const verb = (VERB.exec(outer) ?? VERB.exec(plain) ?? /\w+/.exec(plain))?.[0].toUpperCase() ?? "STATEMENT";
  const target = TARGETS[verb]?.exec(outer)?.[1];
  if (target !== undefined) return { verb, table: target };
  if (!VERB.test(verb)) return { verb, table: null };
  // What a statement names for itself is no table.
  const own = new Set(
    [...plain.matchAll(/(\w+)\s+AS\s+(?:NOT\s+)?(?:MATERIALIZED\s+)?\(/gi)].map((found) => found[1]),
  );
  const sources = [...outer.matchAll(SOURCE), ...plain.matchAll(SOURCE)].map((found) => found[1]);
  return { verb, table: sources.find((source) => source !== undefined && !own.has(source)) ?? null };
}

/** The text outside every bracket: the statement itself, without those that it holds. */
function dropBrackets(text: string): string {
  let depth = 0;
  let outer = "";
  for (const character of text) {
    if (character === ")") depth--;
    if (depth === 0) outer += character;
    if (character === "(") depth++;
  }
  return outer;
}
