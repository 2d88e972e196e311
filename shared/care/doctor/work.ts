import { findFirstOwnerAt } from "../../../sql/identity/owners.ts";
import { measureOutboxes } from "../../../sql/platform/outbox.ts";
import { BACKED_UP_AT, findServiceSetting, RESTORED_AT } from "../../../sql/platform/service-settings.ts";
import { listWitnesses } from "../../../sql/trust/log-witnesses.ts";
import { findCurrentLog } from "../../../sql/trust/logs.ts";
import { findLongestDue } from "../../../sql/works/schedules.ts";
import { DAY_MS, HOUR_MS, secondsSince } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { CATALOGUE, type JobName } from "../../platform/jobs/catalogue.ts";
import { askMailServer } from "../../platform/mail/smtp.ts";
import { listLiveProcesses } from "../../platform/process/live-processes.ts";
import { readLogState, STANDSTILLS } from "../../trust/transparency-log/log-state.ts";
import { readWitnessedLogs } from "../../trust/witness/witnessed-logs.ts";
import { type Finding, fail, judgeWait, ok, warn } from "./finding.ts";

/** How long jobs and schedules wait, and which jobs failed. */
export async function checkQueues(deps: Deps): Promise<Finding[]> {
  const findings = (await deps.jobs.status()).map(({ queue, oldest, waiting, delayed, failed }) => {
    const check = `queue.${queue}`;
    const detail = `${waiting} wait, ${delayed} are delayed, ${failed} failed; the oldest waits ${oldest ?? 0} s.`;
    const worker = CATALOGUE[queue as JobName].worker;
    const mend = `Check that a process with the worker ${worker} runs, and read its log.`;
    const finding = judgeWait(check, oldest ?? 0, detail, mend);
    if (finding.status !== "ok" || failed === 0) return finding;
    return warn(check, detail, `Mend the reason, then: jobs retry --queue ${queue}.`);
  });
  return [...findings, await checkSchedules(deps), await checkOutbox(deps)];
}

/** How long committed changes wait until agents are told of them. */
async function checkOutbox(deps: Deps): Promise<Finding> {
  const backlog = (await measureOutboxes(deps.pool)).find(({ sequencer }) => sequencer === "events");
  const seconds = secondsSince(backlog?.oldest_at ?? null, deps.now());
  const detail = `${backlog?.rows ?? 0} changes wait to be told to agents, the oldest for ${Math.round(seconds)} s.`;
  const mend = "Check that a process with the worker deliver runs, and read its log.";
  return judgeWait("events", seconds, detail, mend);
}

async function checkSchedules(deps: Deps): Promise<Finding> {
  const dueMs = await findLongestDue(deps.pool, deps.now());
  const seconds = secondsSince(dueMs, deps.now());
  const detail = dueMs === null ? "None is overdue." : `One has been due for ${Math.round(seconds)} s.`;
  return judgeWait("schedules", seconds, detail, "Check that a process with the worker publish runs.");
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

/** Whether the service stands still since a restore. */
export async function checkStandstill({ pool }: Pick<Deps, "pool">): Promise<Finding[]> {
  const since = await findServiceSetting(pool, RESTORED_AT);
  if (since === null) return [ok("restore", "Nothing stands still.")];
  const detail = `Webhooks and mail but sign-in links stand still since a backup was restored at ${since}.`;
  return [warn("restore", detail, "Look whether all is as it should be, then: backup resume.")];
}

/** A nightly one that takes two hours longer than the last is not old. */
const BACKUP_OLD_MS = 26 * HOUR_MS;

/** Whether the newest backup is of the last night; a service that is a day old has one. */
export async function checkBackup({ pool, now }: Pick<Deps, "pool" | "now">): Promise<Finding[]> {
  const madeAt = await findServiceSetting(pool, BACKED_UP_AT);
  const sinceMs = madeAt === null ? await findFirstOwnerAt(pool) : Date.parse(madeAt);
  const ageMs = 1_000 * secondsSince(sinceMs, now());
  const detail = madeAt === null ? "None was made." : `The newest is ${Math.floor(ageMs / HOUR_MS)} h old.`;
  if (ageMs <= (madeAt === null ? DAY_MS : BACKUP_OLD_MS)) return [ok("backup", detail)];
  return [warn("backup", detail, "Run backup create, and look why no timer, cron or container did.")];
}

/** Says in the log of a starting process that the service stands still; a database that is away stops no start. */
export async function warnOfStandstill(deps: Pick<Deps, "pool" | "log">): Promise<void> {
  const [found] = await checkStandstill(deps).catch(() => []);
  if (found?.status === "warn") deps.log.warn({ mend: found.mend }, found.detail);
}

/** Whether every witness has signed the log, or is asked at the moment. */
export async function checkWitnesses({ pool }: Deps): Promise<Finding[]> {
  const witnesses = await listWitnesses(pool);
  const behind = witnesses.flatMap(({ name, failure }) => (failure === null ? [] : [`${name}: ${failure}`]));
  const mend = "Ask who runs it, or: log witness remove NAME.";
  if (behind.length > 0) return [warn("witnesses", behind.join(" "), mend)];
  const log = await findCurrentLog(pool);
  const signed = witnesses.filter(
    ({ last_log, last_size }) => last_log === log?.number && last_size === log?.size,
  );
  return [ok("witnesses", `${signed.length} of ${witnesses.length} have signed the newest checkpoint.`)];
}

/** Whether this site still cosigns each log that it is a witness of. */
export async function checkWitnessedLogs(deps: Deps): Promise<Finding[]> {
  const { logs } = await readWitnessedLogs(deps);
  const still = logs.flatMap(({ origin, mend }) => (mend === null ? [] : [{ origin, mend }]));
  const detail = `${logs.length - still.length} of ${logs.length} logs of others are cosigned.`;
  if (still.length === 0) return [ok("witnessed_logs", detail)];
  return [fail("witnessed_logs", detail, still.map(({ mend }) => mend).join(" "))];
}

/** Whether the transparency log goes on, and what waits for it. */
export async function checkLog(deps: Deps): Promise<Finding[]> {
  const { log, standstill } = await readLogState(deps, deps.pool);
  const says = standstill === null ? "The log goes on." : STANDSTILLS[standstill].detail;
  if (standstill === "off") return [ok("log", says)];
  const backlog = (await measureOutboxes(deps.pool)).find(({ sequencer }) => sequencer === "log");
  const seconds = secondsSince(backlog?.oldest_at ?? null, deps.now());
  const rows = backlog?.rows ?? 0;
  const waits = `${rows} ${rows === 1 ? "waits" : "wait"}, the oldest for ${Math.round(seconds)} s.`;
  const size = log?.size ?? 0;
  const detail = `${says} ${size} ${size === 1 ? "entry" : "entries"}, ${waits}`;
  if (standstill !== null) {
    return [fail("log", detail, STANDSTILLS[standstill].mend ?? "Begin another log: log reopen.")];
  }
  return [judgeWait("log", seconds, detail, "Check that a process with the worker deliver runs.")];
}
