import { makeFault } from "../reading/faults.js";
import { refusalOf, toCanonical } from "../site/http.js";

/** Asks whether a work would be saved and published; gives what stands against it, with its place on the disk. */
export async function checkWork(run, plan) {
  const { work, remote } = plan;
  plan.placeOf = (field, message, line = null) => placeOf(work, field, line ?? lineIn(message));
  plan.releases = chooseRelease(run, plan);
  if (!plan.saves) return [];
  const beside = plan.releases && { [plan.releases]: releaseBody(run, plan) };
  const path = remote === null ? "/creations/check" : `/creations/${remote.id}/check`;
  const answer = await run.site.ask("POST", path, { body: { ...plan.body, ...beside } });
  if (!answer.ok) throw refusalOf(answer, plan.placeOf);
  const { problems, result, warnings } = answer.json.data;
  run.report.not_checked.push(...plan.leftOut.map((field) => ({ path: work.file, field })));
  plan.checksum = plan.leftOut.length > 0 ? null : (result?.checksum ?? null);
  plan.counts = result?.counts_as ?? null;
  plan.told = { ...plan.told, warnings, evidence: answer.json.evidence ?? null };
  if (isThere(plan)) {
    plan.saves = false;
    plan.releases = chooseRelease(run, plan);
    return [];
  }
  return problems
    .filter((problem) => !isMendedByRun(run, plan, problem))
    .map(({ code, field, message, hint, line }) => {
      const place = plan.placeOf(field, message, line);
      return makeFault({ code, hint, message: withLine(work, message), ...place });
    });
}

/** Whether the newest revision is what the folder would send. */
function isThere({ work, latest, checksum }) {
  if (latest === null || checksum === null || latest.checksum !== checksum) return false;
  const { section = null, disclosure = {} } = work.beside;
  const said = Object.entries(disclosure ?? {});
  const isSaid = ([member, value]) => toCanonical(latest.disclosure?.[member]) === toCanonical(value);
  return latest.section === section && said.every(isSaid);
}

/** What the folder wants to happen to a work: publish, schedule, visibility, or nothing. */
function chooseRelease({ options }, { work, remote, saves }) {
  if (options.draft) return null;
  const time = findSchedule({ options }, work);
  const pending = remote?.scheduled_publication?.status === "pending" ? remote.scheduled_publication : null;
  const { visibility } = work.beside;
  if (!saves && remote?.latest_revision.state === "published") {
    const isOther = visibility && remote.visibility !== "private" && visibility !== remote.visibility;
    return isOther ? "visibility" : null;
  }
  if (time === null) return pending === null || saves ? "publish" : null;
  return saves || Date.parse(pending?.publish_at) !== Date.parse(time) ? "schedule" : null;
}

/** When a work is to be published, null for now; a time of the front matter that has passed is now. */
export function findSchedule({ options }, { beside }) {
  const said = options.schedule ?? beside.schedule?.publish_at ?? beside.schedule;
  return said === undefined || (options.schedule === undefined && Date.parse(said) <= Date.now())
    ? null
    : said;
}

/** The body that publishes or schedules. */
export function releaseBody(run, { work, releases }) {
  const { visibility } = work.beside;
  const time = releases === "schedule" ? { publish_at: findSchedule(run, work) } : {};
  return { ...time, ...(visibility !== undefined && { visibility }) };
}

/** What the run itself mends before it publishes: the front page and its sections; of drafts, all that is of publishing. */
function isMendedByRun({ options, profile, folder }, { leftOut }, { stage, code, field }) {
  if (leftOut.includes("entries.0") && field === "payload.entries") return true;
  if (stage === "save") return false;
  if (options.draft) return true;
  const sections = folder.profile?.members.sections ?? [];
  const isPending = profile !== null && profile.told.did !== "unchanged";
  return (
    isPending &&
    ((code === "publication_not_eligible" && field === null) || (field === "section" && sections.length > 0))
  );
}

/** The line of the body that a sentence begins with, or names. */
function lineIn(message) {
  const [, block, line = block] =
    /^(?:(?:Chart|Flowchart) \d+ \(line (\d+)\)|Line (\d+)): /.exec(message ?? "") ?? [];
  return line === undefined ? null : Number(line);
}

/** The same sentence with the line of the file in place of that of the body. */
function withLine({ above }, message) {
  return message.replace(
    /^((?:Chart|Flowchart) \d+ \(line |Line )(\d+)/,
    (_, words, line) => `${words}${Number(line) + above}`,
  );
}

/** Where a field of a work stands on the disk. */
function placeOf(work, field, line) {
  if (field === null) return { path: work.file, line: null, field };
  const parts = field.replace(/^payload\./, "").split(".");
  if (parts[0] === "body_markdown") return { path: work.file, line: (line ?? 1) + work.above, field };
  return { path: work.file, line: work.lineOf(parts), field };
}
