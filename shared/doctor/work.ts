import { measureOutbox } from "../../sql/event-outbox.ts";
import { findLongestDue } from "../../sql/schedules.ts";
import type { Deps } from "../deps.ts";
import { CATALOGUE, type JobName } from "../jobs/catalogue.ts";
import { listLiveProcesses } from "../process/live-processes.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const OLD_WARN_SECONDS = 60;
const OLD_FAIL_SECONDS = 15 * 60;

/** How long jobs and schedules wait, and which jobs failed. */
export async function checkQueues(deps: Deps): Promise<Finding[]> {
  const findings = (await deps.jobs.status()).map(({ queue, oldest, waiting, delayed, failed }) => {
    const check = `queue.${queue}`;
    const detail = `${waiting} wait, ${delayed} are delayed, ${failed} failed; the oldest waits ${oldest ?? 0} s.`;
    const worker = CATALOGUE[queue as JobName].worker;
    const mend = `Check that a process with the worker ${worker} runs, and read its log.`;
    if ((oldest ?? 0) > OLD_FAIL_SECONDS) return fail(check, detail, mend);
    if ((oldest ?? 0) > OLD_WARN_SECONDS) return warn(check, detail, mend);
    if (failed > 0) return warn(check, detail, `Mend the reason, then: jobs retry --queue ${queue}.`);
    return ok(check, detail);
  });
  return [...findings, await checkSchedules(deps), await checkOutbox(deps)];
}

/** How long committed changes wait until agents are told of them. */
async function checkOutbox(deps: Deps): Promise<Finding> {
  const { rows, oldest } = await measureOutbox(deps.pool, deps.now());
  const detail = `${rows} changes wait to be told to agents, the oldest for ${Math.round(oldest)} s.`;
  const mend = "Check that a process with the worker deliver runs, and read its log.";
  if (oldest > OLD_FAIL_SECONDS) return fail("events", detail, mend);
  return oldest > OLD_WARN_SECONDS ? warn("events", detail, mend) : ok("events", detail);
}

async function checkSchedules(deps: Deps): Promise<Finding> {
  const dueMs = await findLongestDue(deps.pool, deps.now());
  const seconds = dueMs === null ? 0 : Math.round((deps.now() - dueMs) / 1000);
  const detail = dueMs === null ? "None is overdue." : `One has been due for ${seconds} s.`;
  const mend = "Check that a process with the worker publish runs.";
  if (seconds > OLD_FAIL_SECONDS) return fail("schedules", detail, mend);
  return seconds > OLD_WARN_SECONDS ? warn("schedules", detail, mend) : ok("schedules", detail);
}

/** Whether each worker has a process, where a process of the service runs at all. */
export async function checkProcesses(deps: Deps): Promise<Finding[]> {
  const { processes, missing } = await listLiveProcesses(deps);
  if (processes.length === 0) return [ok("processes", "None runs now.")];
  const detail = `${processes.length} live.`;
  if (missing.length === 0) return [ok("processes", detail)];
  const mend = `Start one: npm run workers -- ${missing.join(" ")}`;
  return [warn("processes", `${detail} None does the work of ${missing.join(", ")}.`, mend)];
}

/** Whether the mail server accepts the sign-in; no mail is sent. */
export async function checkMail({ config }: Deps): Promise<Finding[]> {
  if (config.smtpUrl !== undefined) {
    const { askMailServer } = await import("../mail/smtp.ts");
    const refused = await askMailServer(config.smtpUrl);
    if (refused === null) return [ok("mail", "The mail server lets us in.")];
    return [fail("mail", `The mail server does not let us in: ${refused}.`, "Check SMTP_URL.")];
  }
  const isLocal = /^(localhost|127\.|\[::1\])/.test(new URL(config.siteUrl).host);
  const detail = "Not configured: sign-in mail is a file under DATA_DIR/mail.";
  if (config.signUp !== "closed") {
    const waiting = config.signUp === "open" ? "whoever signs up" : "whoever is invited";
    const lacks = `${detail} SIGN_UP=${config.signUp}: ${waiting} gets no mail.`;
    return [warn("mail", lacks, "Set SMTP_URL and MAIL_FROM, or SIGN_UP=closed.")];
  }
  if (isLocal) return [ok("mail", detail)];
  return [warn("mail", detail, "Set SMTP_URL and MAIL_FROM, or owners cannot sign in by themselves.")];
}
