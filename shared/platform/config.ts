import { resolve } from "node:path";
import { z } from "zod";
import { ConfigError } from "../ground/errors.ts";
import type { Limits } from "../ground/limits.ts";
import { readSignerKey } from "../text/transparency-log/signed-note.ts";
import {
  explainDatabaseUrl,
  explainListenHost,
  explainRedisUrl,
  explainSiteUrl,
  explainSmtpUrl,
} from "./environment/addresses.ts";
import { explained, path, readLimits, wholeNumber } from "./environment/limits.ts";
import { describeProblems } from "./environment/problems.ts";
import { explainTrustedProxies, readTrustedProxies } from "./environment/trusted-proxies.ts";
import { explainFilesUrl } from "./files/files-url.ts";
import { readAllowedHosts } from "./outbound/allowed-hosts.ts";

const port = wholeNumber(0, 65_535);
const milliseconds = wholeNumber(0, 600_000);
/** A hundred years. */
const MOST_OFFSET_MS = 100 * 365 * 86_400_000;
const key = z.hex().length(64).optional();
const signerKeys = z
  .string()
  .transform((text) => text.split(",").map((key) => key.trim()))
  .refine((keys) => keys.every((key) => readSignerKey(key) !== null))
  .optional();
/** One address, alone or as `Broadsheet <mail@example.org>`; a line end would start another header. */
const SENDER = /^(?:[^\p{Cc}<>@]*<[^\p{Cc}\s<>@]+@[^\p{Cc}\s<>@]+>|[^\p{Cc}\s<>@]+@[^\p{Cc}\s<>@]+)$/u;

const Environment = z.object({
  PORT: port.default(3000),
  HOST: explained(explainListenHost).default("127.0.0.1"),
  SITE_URL: explained(explainSiteUrl).optional(),
  DATA_DIR: path().default("./data"),
  DATABASE_URL: explained(explainDatabaseUrl).optional(),
  REDIS_URL: explained(explainRedisUrl).optional(),
  FILES_URL: explained(explainFilesUrl, z.string()).optional(),
  REMOVALS_FILE: path().optional(),
  SMTP_URL: explained(explainSmtpUrl).optional(),
  MAIL_FROM: z.string().regex(SENDER).optional(),
  FIRST_OWNER_EMAIL: z.email().optional(),
  SIGN_UP: z.enum(["closed", "invite", "open"]).default("closed"),
  PREVIEW_KEY: key,
  WEBHOOK_KEY: key,
  OUTBOUND_ALLOW: z.string().transform(readAllowedHosts).pipe(z.array(z.string())).default([]),
  WEBSUB_HUB: z.url({ protocol: /^https?$/ }).optional(),
  LOG_KEY: signerKeys,
  LOG_QUORUM: wholeNumber(0, 50).default(0),
  WITNESS: z.enum(["on", "off"]).default("off"),
  WITNESS_KEY: signerKeys,
  TRUST_PROXY: explained(explainTrustedProxies).default("false"),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  LOG_REQUESTS: z.enum(["true", "false"]).default("true"),
  OPERATORS_HOST: explained(explainListenHost).default("127.0.0.1"),
  OPERATORS_PORT: port.optional(),
  OPERATORS_PORT_WORKERS: port.optional(),
  PREPARED_STATEMENTS: z.enum(["on", "off"]).default("on"),
  UPLOAD_WAIT_MS: milliseconds.default(2000),
  STOP_NOTICE_MS: milliseconds.default(1000),
  WORKER_CONCURRENCY: wholeNumber(1, 32).default(1),
  CLOCK_OFFSET_MS: wholeNumber(-MOST_OFFSET_MS, MOST_OFFSET_MS).optional(),
  NODE_ENV: z.string().optional(),
});

/** The names of all variables but those of limits. */
export const VARIABLES: readonly string[] = Object.keys(Environment.shape);

/** The environment of the processes, read once at start (contract section 1). */
export type Config = ReturnType<typeof assemble>;

/** Reads the configuration from an environment; throws `ConfigError` naming every variable that is wrong. */
export function loadConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const { data, error } = Environment.safeParse(given);
  const issues = error?.issues ?? [];
  const wrong = new Set(issues.map(({ path: [name] }) => String(name)));
  // What is right by itself may still contradict the rest, and one start is to tell everything.
  const right = data ?? Environment.parse(leaveOut(given, wrong));
  const limits = readLimits(given);
  const problems = [...describeProblems(issues, given), ...limits.problems, ...findConflicts(right, wrong)];
  if (problems.length > 0) throw new ConfigError(problems.join("\n"));
  return assemble(right, limits.limits);
}

function leaveOut(given: Record<string, string | undefined>, names: ReadonlySet<string>) {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !names.has(name)));
}

type Right = z.infer<typeof Environment>;

/** What contradicts something else; a variable that is wrong by itself contradicts nothing. */
function findConflicts(environment: Right, wrong: ReadonlySet<string>): string[] {
  const problems: string[] = [];
  const lacks = (needed: keyof Right, by: keyof Right) =>
    environment[by] !== undefined && environment[needed] === undefined && !wrong.has(needed);
  if (environment.CLOCK_OFFSET_MS !== undefined && environment.NODE_ENV !== "test") {
    problems.push("CLOCK_OFFSET_MS is for tests only: unset it, or set NODE_ENV=test.");
  }
  if (lacks("MAIL_FROM", "SMTP_URL")) {
    problems.push("MAIL_FROM is needed with SMTP_URL: the address that mail comes from.");
  }
  return [...problems, ...findPortConflicts(environment, wrong)];
}

/** The operators' ports show what readers must not see, so none may be the public port. */
function findPortConflicts(environment: Right, wrong: ReadonlySet<string>): string[] {
  const { OPERATORS_PORT, OPERATORS_PORT_WORKERS } = environment;
  const PORT = wrong.has("PORT") ? undefined : environment.PORT;
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

function assemble(environment: Right, limits: Limits) {
  const dataDir = resolve(environment.DATA_DIR);
  return {
    port: environment.PORT,
    host: environment.HOST,
    /** Root of the site, without a slash at its end. */
    siteUrl: (environment.SITE_URL ?? `http://localhost:${environment.PORT}`).replace(/\/+$/, ""),
    /** Where each kind of process shows metrics and queues; unset: nowhere. */
    operators: {
      host: environment.OPERATORS_HOST,
      apiPort: environment.OPERATORS_PORT,
      workersPort: environment.OPERATORS_PORT_WORKERS,
    },
    /** Absolute path of the data folder. */
    dataDir,
    /** Unset: the embedded PostgreSQL of the data folder. */
    databaseUrl: environment.DATABASE_URL,
    /** Unset: PostgreSQL carries every job, and minute limits are counted in each process. */
    redisUrl: environment.REDIS_URL,
    filesUrl: environment.FILES_URL ?? `file:${resolve(dataDir, "files")}`,
    /** Where a worker lists what was removed, for restores; absolute. */
    removalsFile: resolve(environment.REMOVALS_FILE ?? resolve(dataDir, "removals", "removals.ndjson")),
    /** Unset: mail is written to files. Holds a password. */
    smtpUrl: environment.SMTP_URL,
    mailFrom: environment.MAIL_FROM,
    /** Who owns the service from its first start on; unset: `npm start` makes an owner without mail. */
    firstOwnerEmail: environment.FIRST_OWNER_EMAIL,
    /** Who can open an account: nobody but operators, whom an owner invites too, or whoever has an e-mail address. */
    signUp: environment.SIGN_UP,
    /** The key of preview links, as hex; unset: that of a file of the data folder. */
    previewKey: environment.PREVIEW_KEY,
    /** The key that webhooks' secrets are derived from, as hex; unset: that of a file of the data folder. */
    webhookKey: environment.WEBHOOK_KEY,
    /** What requests to the outside may reach by http and at private addresses: see outbound/allowed-hosts.ts. */
    outboundAllow: environment.OUTBOUND_ALLOW,
    /** The hub that is told of feeds that changed (WebSub); unset: none is. */
    websubHub: environment.WEBSUB_HUB,
    /** The signer keys of the transparency log, the newest first; unset: those of a file of the data folder. */
    logKeys: environment.LOG_KEY,
    /** How many witnesses have to have signed a checkpoint before a proof waits for no newer one. */
    logQuorum: environment.LOG_QUORUM,
    /** Whether this site cosigns the logs of others, and with which keys; unset: those of a file of the data folder. */
    isWitness: environment.WITNESS === "on",
    witnessKeys: environment.WITNESS_KEY,
    trustProxy: readTrustedProxies(environment.TRUST_PROXY),
    logLevel: environment.LOG_LEVEL,
    /** Whether an API process writes a line for each request that it answers well. */
    logRequests: environment.LOG_REQUESTS === "true",
    preparedStatements: environment.PREPARED_STATEMENTS === "on",
    uploadWaitMs: environment.UPLOAD_WAIT_MS,
    /** How long an API process still answers after a stop signal, while /readyz reports it as unready. */
    stopNoticeMs: environment.STOP_NOTICE_MS,
    /** How many jobs of each kind a worker process runs at once, each in its own thread. */
    workerConcurrency: environment.WORKER_CONCURRENCY,
    clockOffsetMs: environment.CLOCK_OFFSET_MS ?? 0,
    limits,
  };
}
