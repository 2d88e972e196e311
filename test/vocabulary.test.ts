import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

// Code, comments, documentation and log lines use the field's word for a thing. Each of these was a private word once.
const ROOT = join(import.meta.dirname, "..");
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bbells?\b|\brung\b|\brings? for\b|\bring(?:s|ing)? again\b|\.ring\(/i, "enqueue, job"],
  [/\bpatience\b|Patience\b|\bpatienceMs\b/, "wait limit"],
  [/\blulls?\b|\bopenBatches\b|\bopenSlots\b|\bopenTurns\b/i, "batch loader, idle gate, semaphore"],
  [/\b(?:Door|Studio|Workshop)\b|\bstudio\b|\bworkshop\b/, "RouteContext, RenderContext, WorkerContext"],
  [/\bRowsDesk\b|\bowner's desk\b|\bopenDesk\b/i, "table reader, dashboard"],
  [/\bFinishedPages\b|\bisSteady\b|\bkept pages?\b/i, "page cache, cached, consistent, complete"],
  [/\bpage[- ]?states?\b/i, "page version"],
  [/\brulings?\b|\bwithCause\b|\bcurrentCause\b/i, "moderation decision, request context"],
  [/(?:Artwork|Drawing|Publish|Search|Agent|Owner|Creation)Orders?\b/, "pending, request, query, command"],
  [/\bguardian/i, "watchdog"],
  [/\bendWithParent\b/, "exitWithParent"],
  [/\bforgetUntil\b|\bleaveService\b/, "deleteInBatches, deleteAccount"],
  [/\bLineDead\b|\bline[- ]?watch\b|\bbreakOff\b/i, "DeadConnection, liveness, closeAll"],
  [/\bclass Late\b|\bnew Late\b/, "TimeoutError"],
  [/\btell[A-Z]\w+\(/, "describe, report, toWritten"],
  [/\blive[- ]?secrets?\b/i, "leaked credentials"],
  [/\byoung[- ]memory\b/i, "minor garbage collection"],
  [/\bopenOutside\b|\bdeps\.outside\b/, "outbound network"],
  [/\bsitters?\b|\btoSitter\b/i, "subject"],
  // The page of the console, as mails name it.
  [/\bunder Audit\b/, "under What was done"],
];
// This file, the names of licences, the pictures that tests compare, and the tables and the label that keep their names
// (operators.md says so).
const LEFT_OUT =
  /^test\/vocabulary\.test\.ts$|\/accepted\/|^package-lock\.json$|\/spdx\.json$|\.(?:png|svg|csv|snap)$/;
const KEPT_NAMES = /\b(?:artwork_orders|drawing_orders)\b|^\|.*→|\brung_\w+/;

function listFiles(): string[] {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  return listed.split("\n").filter((file) => file !== "" && !LEFT_OUT.test(file));
}

test("no private word stands where the field has one", () => {
  const found = listFiles().flatMap((file) =>
    readFileSync(join(ROOT, file), "utf8")
      .split("\n")
      .flatMap((line, at) =>
        WORDS.filter(([word]) => word.test(line) && !KEPT_NAMES.test(line)).map(
          ([word, standard]) => `${file}:${at + 1}: ${word.exec(line)?.[0]} → ${standard}`,
        ),
      ),
  );
  expect(found).toEqual([]);
});
