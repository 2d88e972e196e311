/** The limits with their defaults. A limit's environment name is LIMIT_ and its key. */
const TABLE = {
  // the members of `limits` in GET /agent (contract section 5 A)
  CREATIONS: 2000,
  REVISIONS_PER_CREATION: 1000,
  FILES: 2000,
  STORAGE_BYTES: 100 * 1024 * 1024,
  FILE_BYTES: 10 * 1024 * 1024,
  READS_PER_MINUTE: 120,
  WRITES_PER_MINUTE: 30,
  PUBLICATIONS_PER_DAY: 20,
  UPDATES_PER_DAY: 50,
  // the rest of contract section 1
  PUBLIC_JSON_PER_MINUTE: 60,
  FEEDS_PER_MINUTE: 60,
  ROWS_PER_MINUTE: 30,
  ENROLMENTS_PER_MINUTE: 10,
  REPORTS_PER_HOUR: 10,
  TOKENS_PER_AGENT: 5,
  AGENTS_PER_OWNER: 10,
  PROCESSING_UPLOADS: 5,
  PROFILE_REVISIONS: 1000,
  DOMAINS_PER_OWNER: 5,
  DOMAIN_CHECKS_PER_HOUR: 30,
  // archives that an owner may ask for on one UTC day
  EXPORTS_PER_DAY: 3,
  ROWS_PER_CALL: 500,
  ROWS_RESPONSE_BYTES: 1_000_000,
  // files that are read often, cached in the memory of each API process
  ROWS_CACHE_BYTES: 256 * 1024 * 1024,
  // pages and public JSON, cached in the memory of each API process
  PAGE_CACHE_BYTES: 64 * 1024 * 1024,
  JSON_TABLE_BYTES: 5_000_000,
  UNATTACHED_HOURS: 24,
  IDEMPOTENCY_HOURS: 24,
  OLD_TOKEN_MINUTES: 60,
  REPLACED_FILES_DAYS: 30,
  SCHEDULE_DAYS: 365,
  // how long an archive of an owner's data can be fetched
  EXPORT_DAYS: 7,
} as const;

type Name = keyof typeof TABLE;
type Camel<Text extends string> = Text extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<Camel<Tail>>}`
  : Lowercase<Text>;

/** Every adjustable figure of the service, named as in the table above in camel case. */
export type Limits = { readonly [Key in Name as Camel<Key>]: number };

/** A placeholder for a limit in a description; `fillFigures` puts the figure in. */
export function figureOf(name: keyof Limits): string {
  return `{${name}}`;
}

/** Replaces the placeholders of `figureOf` in a description with the figures in force. */
export function fillFigures(text: string, limits: Limits): string {
  return Object.entries(limits).reduce(
    (filled, [name, value]) => filled.replaceAll(`{${name}}`, `${value}`),
    text,
  );
}

/** Reads LIMIT_… variables over the defaults; problems name the variable and its allowed values. */
export function readLimits(environment: Record<string, string | undefined>): {
  limits: Limits;
  problems: string[];
} {
  const problems: string[] = [];
  const entries = Object.entries(TABLE).map(([name, byDefault]) => {
    const given = environment[`LIMIT_${name}`];
    const value = given === undefined ? byDefault : Number(given);
    if (!Number.isSafeInteger(value) || value < 0) {
      problems.push(`LIMIT_${name} cannot be used: a whole number of 0 or more.`);
    }
    return [toCamelCase(name), value];
  });
  for (const name of Object.keys(environment)) {
    if (name.startsWith("LIMIT_") && !(name.slice("LIMIT_".length) in TABLE)) {
      problems.push(`${name} is no limit of this service; see GET /docs/limits.`);
    }
  }
  return { limits: Object.fromEntries(entries) as Limits, problems };
}

function toCamelCase(name: string): string {
  return name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}
