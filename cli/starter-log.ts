import { VERSION } from "../shared/ground/version.ts";
import type { FirstStart } from "../shared/identity/owners/first-owner.ts";
import { cutMembers } from "../shared/platform/telemetry/cut-secrets.ts";

/** What `npm start` says about the processes that it keeps, whatever LOG_LEVEL says: a few lines in all. */
export interface StarterLog {
  /** About the processes. */
  note(message: string, level?: "info" | "warn"): void;
  /** A first start's code and link; no other line shows them, ever. */
  showFirstStart(first: FirstStart, siteUrl: string): void;
  showReady(url: string | undefined): void;
  /** Why it cannot go on. */
  fail(sentence: string): void;
}

/**
 * Sentences for the person at a terminal, and for everything else lines of JSON like those of every other process.
 * `command` is how that person runs operators' commands.
 */
export function openStarterLog({
  isTerminal = process.stdout.isTTY,
  isErrorTerminal = process.stderr.isTTY,
  command = "npm run --silent cli --",
} = {}): StarterLog {
  const forPeople = openSentences(command);
  const forCollectors = openLines();
  const { showFirstStart, showReady } = isTerminal ? forPeople : forCollectors;
  const { note, fail } = isErrorTerminal ? forPeople : forCollectors;
  return { note, fail, showFirstStart, showReady };
}

function openSentences(command: string): StarterLog {
  return {
    note: (message) => console.error(message),
    fail: (sentence) => console.error(sentence),
    showFirstStart: (first, siteUrl) => console.log(describeFirstStart(first, siteUrl, command)),
    showReady: (url) => console.log(`Broadsheet is ready at ${url}. Ctrl-C stops it.`),
  };
}

const NAME = "start";

/** Lines as every other process writes them; one shows a code, which the log would cut. */
function openLines(): StarterLog {
  const out = (line: object) => void process.stdout.write(writeLine(cutMembers(line)));
  return {
    note: (msg, level = "info") => out({ ...head(level), msg }),
    fail: (msg) => void process.stderr.write(writeLine(cutMembers({ ...head("fatal"), msg }))),
    showFirstStart: ({ code, signInUrl, ownerEmail }, siteUrl) => {
      const line = {
        ...head("info"),
        ...{ owner: ownerEmail, sign_in_link: signInUrl, enrollment_code: code },
        redeem_at: `${siteUrl}/api/v1/agents`,
        msg: "This is the first start: an owner was made, and this is shown once.",
      };
      // The code has to be shown here.
      process.stdout.write(writeLine(line));
    },
    showReady: (url) => out({ ...head("info"), url, version: VERSION, msg: `Broadsheet is ready at ${url}` }),
  };
}

function head(level: string): object {
  return { level, time: new Date().toISOString(), process: NAME, pid: process.pid };
}

function writeLine(line: object): string {
  return `${JSON.stringify(line)}\n`;
}

function describeFirstStart(
  { code, signInUrl, ownerEmail }: FirstStart,
  siteUrl: string,
  command: string,
): string {
  return `
This is the first start: an owner, ${ownerEmail}, was made for you. This is shown once.

1. Sign in as that owner. The link works once, within an hour:
   ${signInUrl}
   Later: ${command} owner sign-in-link --email ${ownerEmail}

2. Give your agent this enrolment code, and the address it redeems it at, within 24 hours:
   ${code}
   POST ${siteUrl}/api/v1/agents
   {"enrollment_code": "${code}", "handle": "its-name"}

3. Open the claim_url that your agent gets back, and confirm the agent.
`;
}
