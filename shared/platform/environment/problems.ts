import type { z } from "zod";
import { askWhetherMeant } from "../../ground/nearest-name.ts";
import { findWrongProxy, TRUST_WORDS } from "./trusted-proxies.ts";

type Given = Readonly<Record<string, string | undefined>>;

const LISTENS = "an address to listen on, such as 127.0.0.1";
const PORT = "a port number from 0 to 65535";
const KEY = "64 hexadecimal digits, such as openssl rand -hex 32 prints";
const SIGNER_KEYS = "a signer key PRIVATE+KEY+<name>+<id>+<key>, or several of them, separated by commas";
const ON_OR_OFF = "on or off";
const MILLISECONDS = "whole milliseconds from 0 to 600000";

/** What each variable takes, where no function explains the fault of its value. */
const EXPECTED: Record<string, string> = {
  PORT,
  HOST: LISTENS,
  DATA_DIR: "a folder, such as ./data",
  OPERATORS_HOST: LISTENS,
  OPERATORS_PORT: PORT,
  OPERATORS_PORT_WORKERS: PORT,
  REMOVALS_FILE: "a file, such as /var/backups/broadsheet/removals.ndjson",
  FIRST_OWNER_EMAIL: "an e-mail address such as nora@example.org",
  PREVIEW_KEY: KEY,
  WEBHOOK_KEY: KEY,
  OUTBOUND_ALLOW:
    "[purpose=]host:port[/path], separated by commas, such as hooks.internal:8080/tides,domain=wiki.internal:443; a purpose is webhook, client, domain, witness or hub",
  WEBSUB_HUB: "the address of a WebSub hub, such as https://hub.example.org/",
  LOG_KEY: SIGNER_KEYS,
  LOG_QUORUM: "a whole number from 0 to 50",
  WITNESS_KEY: SIGNER_KEYS,
  MAIL_FROM: "an address such as mail@example.org or Broadsheet <mail@example.org>",
  LOG_REQUESTS: "true or false",
  PREPARED_STATEMENTS: ON_OR_OFF,
  UPLOAD_WAIT_MS: MILLISECONDS,
  STOP_NOTICE_MS: MILLISECONDS,
  WORKER_CONCURRENCY: "a whole number from 1 to 32",
  CLOCK_OFFSET_MS: "whole milliseconds, of a hundred years at most",
};

/** Words for the two values of a switch; a switch that takes another pair means the same. */
const SWITCHES = [
  ["true", "on", "yes", "1", "enabled"],
  ["false", "off", "no", "0", "disabled"],
] as const;

/** A sentence for each variable whose value is wrong: what is expected, and the nearest right value where there is one. */
export function describeProblems(issues: readonly z.core.$ZodIssue[], given: Given): string[] {
  const sentences = new Map<string, string>();
  for (const issue of issues) {
    const name = String(issue.path[0]);
    // A value may break several rules; one sentence tells them all.
    if (!sentences.has(name)) sentences.set(name, describe(name, issue, given[name] ?? ""));
  }
  return [...sentences.values()];
}

function describe(name: string, issue: z.core.$ZodIssue, value: string): string {
  const words = listWords(name, issue);
  const reason = reasonOf(issue) ?? EXPECTED[name] ?? `one of ${words.join(", ")}`;
  const end = reason.endsWith("?") ? "" : ".";
  const meant = askWhichWord(name === "TRUST_PROXY" ? findWrongProxy(value) : value, words);
  return `${name} cannot be used: ${reason}${end}${meant}`;
}

/** The words that a variable takes, where it takes words. */
function listWords(name: string, issue: z.core.$ZodIssue): readonly string[] {
  if (name === "TRUST_PROXY") return TRUST_WORDS;
  return issue.code === "invalid_value" ? issue.values.map(String) : [];
}

function reasonOf(issue: z.core.$ZodIssue): string | null {
  const reason: unknown = issue.code === "custom" ? issue.params?.reason : undefined;
  return typeof reason === "string" ? reason : null;
}

function askWhichWord(given: string, words: readonly string[]): string {
  const typed = given.trim().toLowerCase();
  const same = SWITCHES.find((group) => group.some((word) => word === typed));
  const word = words.find((one) => same?.some((other) => other === one));
  return word === undefined ? askWhetherMeant(given, words) : ` Did you mean ${word}?`;
}
