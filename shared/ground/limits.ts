/** The limits with their defaults. A limit's environment name is LIMIT_ and its key. */
export const LIMIT_DEFAULTS = {
  // the members of `limits` in GET /agent (contract section 5 A)
  CREATIONS: 2000,
  REVISIONS_PER_CREATION: 1000,
  FILES: 2000,
  STORAGE_BYTES: 100 * 1024 * 1024,
  // texts, and what is made of texts and files: kept rows of charts, drawings, inspections, Parquet and the like
  TEXT_BYTES: 200_000_000,
  FILE_BYTES: 10 * 1024 * 1024,
  READS_PER_MINUTE: 120,
  WRITES_PER_MINUTE: 30,
  // dry runs, which read a whole body as a save does
  CHECKS_PER_MINUTE: 60,
  PUBLICATIONS_PER_DAY: 20,
  UPDATES_PER_DAY: 50,
  // the rest of contract section 1
  PUBLIC_JSON_PER_MINUTE: 60,
  FEEDS_PER_MINUTE: 60,
  ROWS_PER_MINUTE: 30,
  QUERIES_PER_MINUTE: 30,
  // pages that compare two revisions
  COMPARISONS_PER_MINUTE: 60,
  LOG_PER_MINUTE: 300,
  // checkpoints that one network address may ask this site to cosign
  WITNESS_PER_MINUTE: 120,
  ENROLMENTS_PER_MINUTE: 10,
  REPORTS_PER_HOUR: 10,
  REVOCATIONS_PER_HOUR: 60,
  // clients of OAuth that one network address may register
  REGISTRATIONS_PER_HOUR: 10,
  TOKENS_PER_AGENT: 5,
  // connections by OAuth
  GRANTS_PER_AGENT: 10,
  AGENTS_PER_OWNER: 10,
  PROCESSING_UPLOADS: 5,
  PROFILE_REVISIONS: 1000,
  DOMAINS_PER_OWNER: 5,
  DOMAIN_CHECKS_PER_HOUR: 30,
  WEBHOOKS_PER_OWNER: 10,
  // questions for consent, tests and repeated deliveries that an owner has sent by hand
  WEBHOOK_ASKS_PER_HOUR: 30,
  // calls of all webhooks of an owner together, questions for consent and repeated ones too
  WEBHOOK_CALLS_PER_MINUTE: 600,
  // archives that an owner may ask for on one UTC day
  EXPORTS_PER_DAY: 3,
  // what an owner may send in thirty days
  INVITES_PER_OWNER: 10,
  // links to open an account: what one network address may ask for, and what one mailbox is sent
  SIGN_UPS_PER_HOUR: 10,
  SIGN_UP_MAILS_PER_DAY: 3,
  ROWS_PER_CALL: 500,
  ROWS_RESPONSE_BYTES: 1_000_000,
  // the largest file that takes questions with groups or sorting, and the most groups of an answer
  QUERY_BYTES: 64 * 1024 * 1024,
  QUERY_GROUPS: 100_000,
  // how long rows are looked for in one answer
  SCAN_SECONDS: 30,
  // the largest refused table for which a plan to read it is sought
  PLAN_BYTES: 64 * 1024 * 1024,
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
  // works and agents that one agent watches, questions of which it watches the answer, and how long it can read what it
  // was told
  WATCHES: 500,
  WATCHED_QUESTIONS: 50,
  EVENT_DAYS: 30,
  // how long an archive of an owner's data can be fetched
  EXPORT_DAYS: 7,
} as const;

/** What the writes of an owner's agents may keep on a UTC day beside texts and files: answers, records, events. */
export const KEPT_BYTES_PER_DAY = 100_000_000;

type Name = keyof typeof LIMIT_DEFAULTS;
type Camel<Text extends string> = Text extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<Camel<Tail>>}`
  : Lowercase<Text>;

/** Every adjustable figure of the service, named as in the table above in camel case. */
export type Limits = { readonly [Key in Name as Camel<Key>]: number };

/** The limits that one agent may have otherwise than the service. */
export const AGENT_LIMITS: readonly (keyof Limits)[] = [
  ...(["creations", "revisionsPerCreation", "files", "storageBytes", "textBytes", "fileBytes"] as const),
  ...(["publicationsPerDay", "updatesPerDay", "tokensPerAgent", "processingUploads"] as const),
  ...(["profileRevisions", "grantsPerAgent"] as const),
];

/** The limits that one owner may have: its own, and those of each of its agents. */
export const OWNER_LIMITS: readonly (keyof Limits)[] = [
  ...(["agentsPerOwner", "domainsPerOwner", "domainChecksPerHour", "exportsPerDay"] as const),
  ...(["invitesPerOwner", "webhooksPerOwner", "webhookAsksPerHour"] as const),
  ...AGENT_LIMITS,
];

/** Limits of requests, which Redis or each API process counts, where nothing is known of one agent or owner. */
export const RATE_LIMITS: readonly (keyof Limits)[] = [
  ...(["readsPerMinute", "writesPerMinute", "publicJsonPerMinute", "feedsPerMinute"] as const),
  ...(["rowsPerMinute", "queriesPerMinute", "comparisonsPerMinute", "logPerMinute"] as const),
  "witnessPerMinute",
  ...(["checksPerMinute", "enrolmentsPerMinute", "reportsPerHour"] as const),
  ...(["revocationsPerHour", "registrationsPerHour", "signUpsPerHour"] as const),
];

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

const UNITS: Record<string, number> = {
  ...{ "": 1, B: 1, KB: 1000, MB: 1000 ** 2, GB: 1000 ** 3, TB: 1000 ** 4 },
  ...{ KIB: 1024, MIB: 1024 ** 2, GIB: 1024 ** 3, TIB: 1024 ** 4 },
};
const SIZE = /^(\d{1,16}(?:\.\d{1,6})?) ?(|B|[KMGT]I?B)$/;

/** A hundred years, in what the limits of time are counted in: PostgreSQL and JavaScript reckon with dates so far off. */
const MOST_OF_TIME: readonly (readonly [unit: string, most: number])[] = [
  ["seconds", 100 * 365 * 24 * 60 * 60],
  ["minutes", 100 * 365 * 24 * 60],
  ["hours", 100 * 365 * 24],
  ["days", 100 * 365],
];

/** The value of a limit as it is written: a whole number, or a size such as 1GB for a limit of bytes; null for no such. */
export function readLimitValue(name: string, text: string): number | null {
  const [, figure, unit = ""] = SIZE.exec(text.trim().toUpperCase()) ?? [];
  if (figure === undefined || (unit !== "" && !isOfBytes(name))) return null;
  const value = Number(figure) * (UNITS[unit] ?? Number.NaN);
  const [, most = Number.MAX_SAFE_INTEGER] = findUnitOfTime(name) ?? [];
  return Number.isSafeInteger(value) && value <= most ? value : null;
}

/** What the value of a limit may be, for refusals. */
export function describeLimitValue(name: string): string {
  const time = findUnitOfTime(name);
  if (time !== undefined) return `a whole number of ${time[0]} from 0 to ${time[1]}`;
  return isOfBytes(name)
    ? "a whole number of 0 or more, or a size such as 500MB, 1GB or 1GiB"
    : "a whole number of 0 or more";
}

function isOfBytes(name: string): boolean {
  return name.endsWith("Bytes");
}

/** What a limit of time is counted in, and the most of it. */
function findUnitOfTime(name: string) {
  return MOST_OF_TIME.find(([unit]) => name.toLowerCase().endsWith(unit));
}

/** Bytes as megabytes with one digit, for sentences. */
export function toMegabytes(bytes: number): number {
  return Math.round(bytes / 100_000) / 10;
}
