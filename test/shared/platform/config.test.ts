import Fastify from "fastify";
import { expect, test } from "vitest";
import { loadConfig } from "../../../shared/platform/config.ts";

test("sign-up is closed unless the environment says who may", () => {
  expect(loadConfig({}).signUp).toBe("closed");
  expect(loadConfig({ SIGN_UP: "" }).signUp).toBe("closed");
  for (const signUp of ["closed", "invite", "open"])
    expect(loadConfig({ SIGN_UP: signUp }).signUp).toBe(signUp);
});

/** The whole refusal of an environment. */
function refusalOf(environment: Record<string, string>): string {
  try {
    loadConfig(environment);
  } catch (error) {
    return String(error instanceof Error ? error.message : error);
  }
  return "taken";
}

const PORTS = "a port number from 0 to 65535";
const LISTENS = "an address to listen on, without a port, such as 127.0.0.1, 0.0.0.0 or ::1";
const SITE = "an http:// or https:// address, such as https://example.org";
const DATABASE = "an address of the form postgres://user:password@host:5432/database";
const REDIS = "redis://host:6379, rediss://host:6379 or redis+cluster://a:7000,b:7001";
const PROXIES =
  "true, false, or a list of addresses and networks, separated by commas, such as 10.0.0.7,192.168.0.0/16";
const KEY = "64 hexadecimal digits, such as openssl rand -hex 32 prints";

test.each([
  ["SIGN_UP", "opens", "one of closed, invite, open. Did you mean open?"],
  ["SIGN_UP", "Invited", "one of closed, invite, open. Did you mean invite?"],
  ["SIGN_UP", "everybody", "one of closed, invite, open."],
  ["LOG_LEVEL", "infos", "one of fatal, error, warn, info, debug, trace, silent. Did you mean info?"],
  ["LOG_REQUESTS", "yes", "true or false. Did you mean true?"],
  ["LOG_REQUESTS", " FALSE", "true or false. Did you mean false?"],
  ["PREPARED_STATEMENTS", "true", "on or off. Did you mean on?"],
  ["PORT", "x", `${PORTS}.`],
  ["PORT", " ", `${PORTS}.`],
  ["PORT", "0x10", `${PORTS}.`],
  ["PORT", "1e3", `${PORTS}.`],
  ["PORT", "3000.5", `${PORTS}.`],
  ["PORT", "-1", `${PORTS}.`],
  ["PORT", "65536", `${PORTS}.`],
  ["OPERATORS_PORT", "9464/tcp", `${PORTS}.`],
  ["OPERATORS_PORT_WORKERS", " ", `${PORTS}.`],
  ["UPLOAD_WAIT_MS", " ", "whole milliseconds from 0 to 600000."],
  ["UPLOAD_WAIT_MS", "2s", "whole milliseconds from 0 to 600000."],
  ["STOP_NOTICE_MS", "600001", "whole milliseconds from 0 to 600000."],
  ["WORKER_CONCURRENCY", "0", "a whole number from 1 to 32."],
  ["WORKER_CONCURRENCY", "33", "a whole number from 1 to 32."],
  ["CLOCK_OFFSET_MS", "9007199254740993", "whole milliseconds, of a hundred years at most."],
  ["HOST", " ", `${LISTENS}.`],
  ["HOST", "127.0.0.1:3000", `${LISTENS}.`],
  ["HOST", "http://localhost", `${LISTENS}.`],
  ["HOST", "127.0.0.256", `${LISTENS}.`],
  ["OPERATORS_HOST", "\t", `${LISTENS}.`],
  ["DATA_DIR", "  ", "a folder, such as ./data."],
  ["REMOVALS_FILE", " ", "a file, such as /var/backups/broadsheet/removals.ndjson."],
  ["SITE_URL", "example.org", `${SITE}. Did you mean https://example.org?`],
  ["SITE_URL", "http:example.org", `${SITE}.`],
  ["SITE_URL", "ftp://example.org", `${SITE}.`],
  ["SITE_URL", "https://exam ple.org", `${SITE}.`],
  [
    "SITE_URL",
    "https://nora:secret@example.org",
    "it holds a user or a password. Write https://example.org.",
  ],
  [
    "SITE_URL",
    "https://example.org/?a=1",
    "it has a query or a fragment, and a root has neither. Write https://example.org.",
  ],
  [
    "SITE_URL",
    "https://example.org#top",
    "it has a query or a fragment, and a root has neither. Write https://example.org.",
  ],
  [
    "SITE_URL",
    "https://example.org/news",
    "it has a path, and a site is a whole host. Write https://example.org.",
  ],
  ["DATABASE_URL", "postgres://", `it names neither a host nor a database. Write ${DATABASE}.`],
  ["DATABASE_URL", "postgres:/x", `${DATABASE}.`],
  ["DATABASE_URL", "postgres://db:99999/x", `${DATABASE}.`],
  ["DATABASE_URL", "mysql://db/x", `${DATABASE}.`],
  ["REDIS_URL", "redis://host:99999", `${REDIS}.`],
  ["REDIS_URL", "redis://a:7000,b:7001", `${REDIS}.`],
  ["REDIS_URL", "redis+cluster://a:1,b:x", `its node 2 is not of the form host:7000. Write ${REDIS}.`],
  ["REDIS_URL", "redis+cluster://a:70000,b", `its node 1 is not of the form host:7000. Write ${REDIS}.`],
  ["REDIS_URL", "redis+cluster://a,", `its node 2 is not of the form host:7000. Write ${REDIS}.`],
  ["REDIS_URL", "redis+cluster://", `${REDIS}.`],
  [
    "REDIS_URL",
    "redis+cluster://u:50%@a:1",
    "its user or password holds a % that encodes nothing: write %25.",
  ],
  [
    "SMTP_URL",
    "smtp://",
    "an address that starts with smtp:// or smtps://, such as smtp://user:password@host:587.",
  ],
  ["WEBHOOK_KEY", "zz", `${KEY}.`],
  ["PREVIEW_KEY", "a".repeat(63), `${KEY}.`],
  ["TRUST_PROXY", "yes", `${PROXIES}. Did you mean true?`],
  ["TRUST_PROXY", "TRUE", `${PROXIES}. Did you mean true?`],
  ["TRUST_PROXY", "loopbak,10.0.0.1", `${PROXIES}; loopbak is neither. Did you mean loopback?`],
  ["TRUST_PROXY", "10.0.0.0/99", `${PROXIES}.`],
  ["TRUST_PROXY", "10.0.0.1,,", `${PROXIES}; one entry is empty.`],
  ["TRUST_PROXY", "2", `${PROXIES}; a count of hops can be forged.`],
])("%s=%s is refused with what is expected, and with the nearest right value", (name, value, reason) => {
  const message = refusalOf({ NODE_ENV: "test", MAIL_FROM: "mail@example.org", [name]: value });
  expect(message).toBe(`${name} cannot be used: ${reason}`);
});

const HUNDRED_YEARS = { MINUTES: 52_560_000, HOURS: 876_000, DAYS: 36_500 } as const;

test.each([
  ["LIMIT_OLD_TOKEN_MINUTES", "MINUTES"],
  ["LIMIT_UNATTACHED_HOURS", "HOURS"],
  ["LIMIT_IDEMPOTENCY_HOURS", "HOURS"],
  ["LIMIT_REPLACED_FILES_DAYS", "DAYS"],
  ["LIMIT_SCHEDULE_DAYS", "DAYS"],
  ["LIMIT_EVENT_DAYS", "DAYS"],
  ["LIMIT_EXPORT_DAYS", "DAYS"],
] as const)("%s is at most a hundred years", (name, unit) => {
  const most = HUNDRED_YEARS[unit];
  const message = `${name} cannot be used: a whole number of ${unit.toLowerCase()} from 0 to ${most}.`;
  expect(refusalOf({ [name]: String(most) })).toBe("taken");
  for (const value of [String(most + 1), "999999999999", " ", "1e3"])
    expect(refusalOf({ [name]: value })).toBe(message);
});

test("an unknown limit is refused with the limit that it resembles", () => {
  const unknown = (name: string) => `${name} is no limit of this service; see GET /docs/limits.`;
  expect(refusalOf({ LIMIT_CREATION: "1" })).toBe(
    `${unknown("LIMIT_CREATION")} Did you mean LIMIT_CREATIONS?`,
  );
  expect(refusalOf({ LIMIT_OF_EVERYTHING: "1" })).toBe(unknown("LIMIT_OF_EVERYTHING"));
});

test("one refusal tells wrong values, unknown limits and what contradicts each other", () => {
  const told = refusalOf({ PORT: "x", SMTP_URL: "smtp://mail.example.org", LIMIT_FILE: "1" });
  expect(told.split("\n").map((line) => line.split(" ")[0])).toEqual(["PORT", "LIMIT_FILE", "MAIL_FROM"]);
});

test("a variable that is wrong by itself contradicts nothing", () => {
  const lines = (environment: Record<string, string>) => refusalOf(environment).split("\n").length;
  expect(lines({ SMTP_URL: "smtp://mail.example.org", MAIL_FROM: "nobody" })).toBe(1);
  expect(lines({ PORT: "x", OPERATORS_PORT: "3000" })).toBe(1);
});

test.each([
  ["PORT", " 08080 "],
  ["HOST", "::1"],
  ["HOST", "fe80::1%eth0"],
  ["HOST", "broadsheet_api.internal"],
  ["SITE_URL", "https://example.org/"],
  ["SITE_URL", "http://[::1]:3000"],
  ["SITE_URL", "https://News.example.org:8443"],
  ["DATABASE_URL", "postgres:///broadsheet?host=/var/run/postgresql"],
  ["DATABASE_URL", "postgresql://u:p%23@[::1]:5432/x?sslmode=require"],
  ["DATABASE_URL", "postgres://%2Frun%2Fpostgresql/x"],
  ["REDIS_URL", "redis://:secret@redis:6379"],
  ["REDIS_URL", "rediss://user:p%40ss@host/1"],
  ["REDIS_URL", "redis+cluster://user:password@a:7000,b:7001"],
  ["REDIS_URL", "redis+cluster://[::1]:7000,b"],
  ["LIMIT_REPLACED_FILES_DAYS", "0"],
])("%s=%s is taken", (name, value) => {
  expect(refusalOf({ [name]: value })).toBe("taken");
});

test.each([
  "loopback",
  "10.0.0.7",
  "10.0.0.7, 192.168.0.0/16",
  "fd00::/8,uniquelocal",
  "172.16.0.0/255.240.0.0",
  "::1/128",
  "true",
  "false",
])("TRUST_PROXY=%s is what the API can start with", (value) => {
  const { trustProxy } = loadConfig({ TRUST_PROXY: value });
  expect(() => Fastify({ trustProxy })).not.toThrow();
});

test.each(["10.0.0.0/0", "10.0.0.0/33", "::1/129", "10.0.0.0/255.0.255.0", "10.0.0.1/8/8", "10.0.0.1;::1"])(
  "TRUST_PROXY=%s, with which the API cannot start, is refused",
  (value) => {
    expect(() => Fastify({ trustProxy: [value] })).toThrow();
    expect(refusalOf({ TRUST_PROXY: value })).toMatch(/^TRUST_PROXY cannot be used: /);
  },
);

test.each(["10/8", "192.168/16"])(
  "TRUST_PROXY=%s, a shortened network that would be read as another one, is refused",
  (value) => {
    expect(() => Fastify({ trustProxy: [value] })).not.toThrow();
    expect(refusalOf({ TRUST_PROXY: value })).toMatch(/^TRUST_PROXY cannot be used: /);
  },
);
