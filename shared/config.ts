import { resolve } from "node:path";
import { z } from "zod";
import { readSignerKey } from "./core/log/signed-note.ts";
import { askWhetherMeant } from "./core/nearest-name.ts";
import { ConfigError } from "./errors.ts";
import { explainFilesUrl } from "./files/files-url.ts";
import { type Limits, readLimits } from "./limits.ts";
import { readAllowedHosts } from "./outbound/allowed-hosts.ts";

const port = z.coerce.number().int().min(0).max(65535);
const milliseconds = z.coerce.number().int().min(0).max(600_000);
const key = z.hex().length(64).optional();
/** One address, alone or as `Broadsheet <mail@example.org>`; a line end would start another header. */
const SENDER = /^(?:[^\p{Cc}<>@]*<[^\p{Cc}\s<>@]+@[^\p{Cc}\s<>@]+>|[^\p{Cc}\s<>@]+@[^\p{Cc}\s<>@]+)$/u;
/** A cluster names its first nodes, separated by commas. */
const REDIS_URL = /^(rediss?:\/\/[^,\s]+|redis\+cluster:\/\/\S+)$/;
const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

const SIGN_UP_WAYS = ["closed", "invite", "open"] as const;

const Environment = z.object({
  PORT: port.default(3000),
  HOST: z.string().min(1).default("127.0.0.1"),
  SITE_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATA_DIR: z.string().min(1).default("./data"),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_READ_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  REDIS_URL: z.string().regex(REDIS_URL).optional(),
  FILES_URL: z.string().optional(),
  REMOVALS_FILE: z.string().min(1).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().regex(SENDER).optional(),
  FIRST_OWNER_EMAIL: z.email().optional(),
  SIGN_UP: z.enum(SIGN_UP_WAYS).default("closed"),
  PREVIEW_KEY: key,
  WEBHOOK_KEY: key,
  OUTBOUND_ALLOW: z.string().transform(readAllowedHosts).pipe(z.array(z.string())).default([]),
  LOG_KEY: z
    .string()
    .transform((text) => text.split(",").map((key) => key.trim()))
    .refine((keys) => keys.every((key) => readSignerKey(key) !== null))
    .optional(),
  TRUST_PROXY: z.string().default("false"),
  LOG_LEVEL: z.enum(LOG_LEVELS).default("info"),
  LOG_REQUESTS: z.enum(["true", "false"]).default("true"),
  OPERATORS_HOST: z.string().min(1).default("127.0.0.1"),
  OPERATORS_PORT: port.optional(),
  OPERATORS_PORT_WORKERS: port.optional(),
  PAGE_SHORT_CUT: z.enum(["on", "off"]).default("on"),
  PREPARED_STATEMENTS: z.enum(["on", "off"]).default("on"),
  GATHERED_READS: z.enum(["on", "off"]).default("on"),
  BATCHED_READS: z.enum(["on", "off"]).default("on"),
  SEARCH_SHORT_CUT: z.enum(["on", "off"]).default("on"),
  UPLOAD_WAIT_MS: milliseconds.default(2000),
  STOP_NOTICE_MS: milliseconds.default(1000),
  WORKER_CONCURRENCY: z.coerce.number().int().min(1).max(32).default(1),
  CLOCK_OFFSET_MS: z.coerce.number().int().optional(),
  NODE_ENV: z.string().optional(),
});

/** The environment of the processes, read once at start (contract section 1). */
export interface Config {
  port: number;
  host: string;
  /** Root of the site, without a slash at its end. */
  siteUrl: string;
  /** Where each kind of process shows metrics and queues; unset: nowhere. */
  operators: { host: string; apiPort: number | undefined; workersPort: number | undefined };
  /** Absolute path of the data folder. */
  dataDir: string;
  /** Unset: the embedded PostgreSQL of the data folder. */
  databaseUrl: string | undefined;
  /** A replica of the database that serves bodies to readers; unset: the primary serves everything. */
  databaseReadUrl: string | undefined;
  /** Unset: PostgreSQL carries every job, and minute limits are counted in each process. */
  redisUrl: string | undefined;
  filesUrl: string;
  /** Where a worker lists what was removed, for restores; absolute. */
  removalsFile: string;
  /** Unset: mail is written to files. Holds a password. */
  smtpUrl: string | undefined;
  mailFrom: string | undefined;
  /** Who owns the service from its first start on; unset: `npm start` makes an owner without mail. */
  firstOwnerEmail: string | undefined;
  /** Who can open an account: nobody but operators, whom an owner invites too, or whoever has an e-mail address. */
  signUp: (typeof SIGN_UP_WAYS)[number];
  /** The key of preview links, as hex; unset: that of a file of the data folder. */
  previewKey: string | undefined;
  /** The key that webhooks' secrets are derived from, as hex; unset: that of a file of the data folder. */
  webhookKey: string | undefined;
  /** The `host:port` that requests to the outside may reach by http and at private addresses. */
  outboundAllow: readonly string[];
  /** The signer keys of the transparency log, the newest first; unset: those of a file of the data folder. */
  logKeys: readonly string[] | undefined;
  trustProxy: false | string[];
  logLevel: (typeof LOG_LEVELS)[number];
  /** Whether an API process writes a line for each request that it answers well. */
  logRequests: boolean;
  /** Whether an API process answers plain requests for cached pages before its framework sees them. */
  pageShortCut: boolean;
  preparedStatements: boolean;
  /** Whether the reads of an answer for readers that wait for nothing are sent as one statement. */
  gatheredReads: boolean;
  batchedReads: boolean;
  searchShortCut: boolean;
  uploadWaitMs: number;
  /** How long an API process still answers after a stop signal, while /readyz reports it as unready. */
  stopNoticeMs: number;
  /** How many jobs of each kind a worker process runs at once, each in its own thread. */
  workerConcurrency: number;
  clockOffsetMs: number;
  limits: Limits;
}

/** Reads the configuration from an environment; throws `ConfigError` naming every variable that is wrong. */
export function loadConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = Environment.safeParse(given);
  const limits = readLimits(given);
  const problems = [
    ...(parsed.success ? [] : parsed.error.issues.map((issue) => describeIssue(issue, given))),
    ...limits.problems,
  ];
  if (parsed.success) problems.push(...findConflicts(parsed.data));
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems.join("\n"));
  return assemble(parsed.data, limits.limits);
}

function describeIssue(issue: z.core.$ZodIssue, given: Record<string, string | undefined>): string {
  const name = String(issue.path[0]);
  const words = issue.code === "invalid_value" ? issue.values.map(String) : [];
  const meant = askWhetherMeant(given[name] ?? "", words);
  return `${name} cannot be used: ${EXPECTED[name] ?? "see the README's table of variables"}.${meant}`;
}

const EXPECTED: Record<string, string> = {
  PORT: "a port number from 0 to 65535",
  HOST: "an address to listen on, such as 127.0.0.1",
  SITE_URL: "an http:// or https:// address, such as https://example.org",
  OPERATORS_HOST: "an address to listen on, such as 127.0.0.1",
  OPERATORS_PORT: "a port number from 0 to 65535",
  OPERATORS_PORT_WORKERS: "a port number from 0 to 65535",
  DATABASE_URL: "an address of the form postgres://user:password@host:5432/database",
  DATABASE_READ_URL: "an address of the form postgres://user:password@host:5432/database",
  REDIS_URL: "redis://host:6379, rediss://host:6379 or redis+cluster://a:7000,b:7001",
  SMTP_URL: "an address that starts with smtp:// or smtps://",
  FIRST_OWNER_EMAIL: "an e-mail address such as nora@example.org",
  SIGN_UP: `one of ${SIGN_UP_WAYS.join(", ")}`,
  PREVIEW_KEY: "64 hexadecimal digits, such as openssl rand -hex 32 prints",
  WEBHOOK_KEY: "64 hexadecimal digits, such as openssl rand -hex 32 prints",
  OUTBOUND_ALLOW: "host:port, separated by commas, such as hooks.internal:8080,127.0.0.1:9000",
  LOG_KEY: "a signer key PRIVATE+KEY+<name>+<id>+<key>, or several of them, separated by commas",
  MAIL_FROM: "an address such as mail@example.org or Broadsheet <mail@example.org>",
  LOG_LEVEL: `one of ${LOG_LEVELS.join(", ")}`,
  LOG_REQUESTS: "true or false",
  PAGE_SHORT_CUT: "on or off",
  PREPARED_STATEMENTS: "on or off",
  GATHERED_READS: "on or off",
  BATCHED_READS: "on or off",
  SEARCH_SHORT_CUT: "on or off",
  UPLOAD_WAIT_MS: "whole milliseconds from 0 to 600000",
  STOP_NOTICE_MS: "whole milliseconds from 0 to 600000",
  WORKER_CONCURRENCY: "a whole number from 1 to 32",
  CLOCK_OFFSET_MS: "whole milliseconds",
};

function findConflicts(environment: z.infer<typeof Environment>): string[] {
  const problems: string[] = [];
  if (environment.CLOCK_OFFSET_MS !== undefined && environment.NODE_ENV !== "test") {
    problems.push("CLOCK_OFFSET_MS is for tests only: unset it, or set NODE_ENV=test.");
  }
  if (environment.SMTP_URL !== undefined && environment.MAIL_FROM === undefined) {
    problems.push("MAIL_FROM is needed with SMTP_URL: the address that mail comes from.");
  }
  if (environment.DATABASE_READ_URL !== undefined && environment.DATABASE_URL === undefined) {
    problems.push("DATABASE_URL is needed with DATABASE_READ_URL: the primary that it is a replica of.");
  }
  const broken = environment.FILES_URL === undefined ? null : explainFilesUrl(environment.FILES_URL);
  if (broken !== null) problems.push(`FILES_URL cannot be used: ${broken}.`);
  problems.push(...findPortConflicts(environment));
  if (/^\d+$/.test(environment.TRUST_PROXY)) {
    problems.push("TRUST_PROXY takes true, false or a list of addresses; a count of hops can be forged.");
  }
  return problems;
}

/** The operators' ports show what readers must not see, so none may be the public port. */
function findPortConflicts(environment: z.infer<typeof Environment>): string[] {
  const { PORT, OPERATORS_PORT, OPERATORS_PORT_WORKERS } = environment;
  const isFixed = (port: number | undefined) => port !== undefined && port !== 0;
  const problems: string[] = [];
  if (isFixed(OPERATORS_PORT) && OPERATORS_PORT === PORT) {
    problems.push("OPERATORS_PORT must differ from PORT: it is not for the public.");
  }
  if (isFixed(OPERATORS_PORT_WORKERS) && [PORT, OPERATORS_PORT].includes(OPERATORS_PORT_WORKERS)) {
    problems.push("OPERATORS_PORT_WORKERS must differ from PORT and from OPERATORS_PORT.");
  }
  return problems;
}

function assemble(environment: z.infer<typeof Environment>, limits: Limits): Config {
  const dataDir = resolve(environment.DATA_DIR);
  return {
    port: environment.PORT,
    host: environment.HOST,
    siteUrl: (environment.SITE_URL ?? `http://localhost:${environment.PORT}`).replace(/\/+$/, ""),
    operators: {
      host: environment.OPERATORS_HOST,
      apiPort: environment.OPERATORS_PORT,
      workersPort: environment.OPERATORS_PORT_WORKERS,
    },
    dataDir,
    databaseUrl: environment.DATABASE_URL,
    databaseReadUrl: environment.DATABASE_READ_URL,
    redisUrl: environment.REDIS_URL,
    filesUrl: environment.FILES_URL ?? `file:${resolve(dataDir, "files")}`,
    removalsFile: resolve(environment.REMOVALS_FILE ?? resolve(dataDir, "removals", "removals.ndjson")),
    smtpUrl: environment.SMTP_URL,
    mailFrom: environment.MAIL_FROM,
    firstOwnerEmail: environment.FIRST_OWNER_EMAIL,
    signUp: environment.SIGN_UP,
    previewKey: environment.PREVIEW_KEY,
    webhookKey: environment.WEBHOOK_KEY,
    outboundAllow: environment.OUTBOUND_ALLOW,
    logKeys: environment.LOG_KEY,
    trustProxy: readTrustProxy(environment.TRUST_PROXY),
    logLevel: environment.LOG_LEVEL,
    logRequests: environment.LOG_REQUESTS === "true",
    pageShortCut: environment.PAGE_SHORT_CUT === "on",
    preparedStatements: environment.PREPARED_STATEMENTS === "on",
    gatheredReads: environment.GATHERED_READS === "on",
    batchedReads: environment.BATCHED_READS === "on",
    searchShortCut: environment.SEARCH_SHORT_CUT === "on",
    uploadWaitMs: environment.UPLOAD_WAIT_MS,
    stopNoticeMs: environment.STOP_NOTICE_MS,
    workerConcurrency: environment.WORKER_CONCURRENCY,
    clockOffsetMs: environment.CLOCK_OFFSET_MS ?? 0,
    limits,
  };
}

/**
 * `true` trusts proxies on this machine and private networks only: an open list could be forged by anybody.
 */
function readTrustProxy(value: string): false | string[] {
  if (value === "false") return false;
  if (value === "true") return ["loopback", "linklocal", "uniquelocal"];
  return value.split(",").map((entry) => entry.trim());
}
