import { findLine } from "../reading/read-text.js";

const REBIND =
  '{"changes":{"rebind":{"works":"newest","figures":"update"}},"change_summary":"Moved to the newest data.","publish":{}}';
const PLACE = /^((?:Chart|Flowchart) \d+ \(line |Line )(\d+)/;

/** Asks whether a work would be saved and published; gives what stands against it, with its place on the disk. */
export async function checkWork(run, plan) {
  const { work, remote } = plan;
  plan.releases = chooseRelease(run, plan);
  plan.counts = remote?.first_published_at ? "update" : "publication";
  if (!plan.saves) return [];
  const { problems, result, warnings } = await askCheck(run, plan);
  const isSame = warnings.some(({ code }) => code === "nothing_changed") && plan.leftOut.length === 0;
  const isPending = problems.some((one) => one.field === "section" && isOfPage(run, plan, one));
  const left = plan.leftOut.concat(isPending ? "section" : []);
  const message = "It names what this run publishes first, and is checked then.";
  run.report.not_checked.push(...left.map((field) => ({ path: work.file, field, message })));
  plan.counts = result?.counts_as;
  plan.told.warnings = warnings.filter(({ code }) => code !== "nothing_changed");
  const open = problems.filter((one) => !isMended(run, plan, one));
  if (!isSame) return open.map((one) => addWay(run, plan, placeFault(plan, one)));
  plan.saves = false;
  plan.releases = chooseRelease(run, plan);
  return [];
}

/** Sends a check; the checksum that it tells is that of the work, unless something of it was left out. */
export async function askCheck(run, plan) {
  const { remote, releases, leftOut, blanks } = plan;
  const path = remote === null ? "/creations/check" : `/creations/${remote.id}/check`;
  const isRelease = releases === "publish" || releases === "schedule";
  const body = { ...plan.body, ...(isRelease && { [releases]: releaseBody(run, plan) }) };
  const { json } = await run.site.send("POST", path, { body }, (fault) => placeFault(plan, fault));
  plan.checksum = (leftOut.length > 0 || blanks ? null : json.data.result?.checksum) ?? null;
  plan.disclosure_sha256 = json.data.result?.disclosure_sha256 ?? null;
  plan.told.evidence = json.evidence;
  return json.data;
}

/** What the folder wants to happen to a work: publish, schedule, visibility, or nothing. */
export function chooseRelease({ options, site }, { work, remote, saves }) {
  const time = findTime({ options, site }, work);
  const { visibility } = work.beside;
  if (options.draft) return null;
  if (!saves && remote.latest_revision.state === "published")
    return visibility && ![visibility, "private"].includes(remote.visibility) ? "visibility" : null;
  const { status, publish_at } = remote?.scheduled_publication ?? {};
  const isPending = !saves && status === "pending";
  if (time === null) return isPending ? null : "publish";
  return isPending && Date.parse(publish_at) === Date.parse(time) ? null : "schedule";
}

/** When a work is to be published; null for now, which a time of the front matter is that has passed by the site's clock. */
function findTime({ options: { schedule }, site }, { beside }) {
  const said = schedule ?? beside.schedule?.publish_at ?? beside.schedule ?? null;
  return schedule === undefined && Date.parse(said) <= site.counts.nowMs ? null : said;
}

/** The body that publishes, schedules or shows. */
export function releaseBody(run, { work, releases }) {
  const publish_at = releases === "schedule" ? findTime(run, work) : undefined;
  return { publish_at, visibility: work.beside.visibility };
}

/** What the run itself mends before it publishes: a front page and its sections; for drafts, all that is of publishing. */
function isMended(run, plan, problem) {
  if (problem.stage === "save") return problem.field === "payload.entries" && plan.leftOut.length > 0;
  return run.options.draft || isOfPage(run, plan, problem);
}

/** Whether a problem is that the front page which this run publishes, or its section, is not there yet. */
function isOfPage({ profile }, { work }, { code, field }) {
  if (!profile?.publishes) return false;
  if (field === "section") return profile.sections.includes(work.beside.section);
  return code === "publication_not_eligible" && field === null;
}

/** The fault of a figure that newer data do not say, with the call by which the site writes what they say. */
function addWay({ options, site }, { remote }, fault) {
  if (!options.rebind || !remote?.public_url || !/^payload\.figures\.\d/.test(fault.field)) return fault;
  const call = `${site.line} call PATCH creations/${remote.id} '${REBIND}'`;
  return { ...fault, hint: `Once the data are published, this writes their numbers into the text: ${call}` };
}

/** A fault with its place on the disk; a line of the body, which its sentence begins with, is one of the file. */
export function placeFault({ work, leftOut }, fault) {
  const { field, message } = fault;
  const parts = (field ?? "").replace(/^payload\./, "").split(".");
  const { above, beside, payload, file: path } = work;
  // What is left out of a list is still in that of the folder.
  const isKept = (n) => !leftOut.some((left) => `${left}.`.startsWith(`${parts[0]}.${n}.`));
  const kept = Object.keys(payload[parts[0]] ?? "").filter(isKept);
  parts[1] &&= kept[parts[1]] ?? parts[1];
  if (parts[0] === "body_markdown") {
    const [, , line = 1] = PLACE.exec(message) ?? [];
    const said = message.replace(PLACE, (_, words) => `${words}${Number(line) + above}`);
    return { ...fault, path, line: findLine(payload, Number(line), message) + above, message: said };
  }
  // A time that no front matter has is that of the command line.
  const isOfCommand = parts.at(-1) === "publish_at" && beside.schedule === undefined;
  return { ...fault, path, line: field === null || isOfCommand ? null : work.lineOf(parts) };
}
