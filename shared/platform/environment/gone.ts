/** Variables that a version before read. */
const GONE: readonly string[] = [
  "DATABASE_READ_URL",
  "PAGE_SHORT_CUT",
  "GATHERED_READS",
  "BATCHED_READS",
  "SEARCH_SHORT_CUT",
];

/** Warns once of all variables of the environment that nothing reads any more. */
export function warnOfGoneVariables(
  environment: Readonly<Record<string, string | undefined>>,
  warn: (sentence: string) => void,
): void {
  const names = GONE.filter((name) => environment[name]);
  if (names.length > 0) warn(`Variables that do nothing any more are set: ${names.join(", ")}. Unset them.`);
}

/** An environment without them, for a process whose parent has warned. */
export function withoutGoneVariables(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !GONE.includes(name)));
}
