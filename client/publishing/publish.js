import { EXIT, Stop, stop } from "../reading/faults.js";
import { findAddress } from "./addresses.js";
import { rebuild } from "./bodies.js";
import { checkWork } from "./check.js";
import { isAsKnown, listOwn, planWork, refuseConflicts, summarize } from "./plan.js";
import { checkProfile, planProfile, publishProfile } from "./profile.js";
import { releaseWork } from "./release.js";
import { orderWorks, reportWork, saveWork } from "./save.js";
import { sendFile } from "./upload.js";

/**
 * Makes the works on the site equal to those of a folder: reads all, sends files, checks all, saves all, publishes all.
 * `run` has folder, site, agent, state and options; what was done stands in its report, whatever ends it.
 */
export async function publishFolder(run) {
  const { folder, options, report } = run;
  run.remote = await listOwn(run.site);
  run.profile = await planProfile(run);
  const chosen = folder.works.filter(({ path }) => options.only === undefined || path === options.only);
  if (options.only !== undefined && chosen.length === 0)
    throw stop(EXIT.usage, "not_found", `There is no work ${options.only} in this folder.`);
  const plans = await inTurn(folder.works, (work) => planWork(run, work));
  run.plans = new Map(plans.map((plan) => [plan.work.path, plan]));
  const wanted = plans.filter(({ work }) => chosen.includes(work));
  refuseConflicts(
    run,
    wanted.filter((plan) => plan.isOther && isElsewhere(plan)),
  );
  await sendFiles(run, plans, wanted);
  await bindAll(run, wanted);
  const faults = await inTurn(wanted, (plan) => checkWork(run, plan));
  refuseConflicts(run, wanted);
  faults.push(await checkProfile(run), countLimits(run, wanted));
  report.works.push(...(run.profile ? [run.profile.told] : []));
  if (faults.flat().length > 0) throw new Stop(EXIT.refused, faults.flat());
  if (!options.dryRun) await write(run, wanted);
  report.works.push(...wanted.map((plan) => reportWork(run, plan)), ...listLeftAlone(run));
  run.state.save();
}

/** Whether the files of the newest revision are not those of the folder: then it cannot be what the folder would send. */
const isElsewhere = ({ work, latest, known }) => known !== null && work.files.length !== latest.files.length;

async function write(run, wanted) {
  await publishProfile(run);
  const ordered = orderWorks(run, wanted);
  const open = await inTurn(ordered, (plan) => saveWork(run, plan));
  await inTurn(
    ordered.filter((_, n) => open[n]),
    (plan) => saveWork(run, plan, true),
  );
  await inTurn(ordered, (plan) => releaseWork(run, plan));
}

/** Does a step for one thing after the other. */
async function inTurn(things, step) {
  const results = [];
  for (const thing of things) results.push(await step(thing));
  return results;
}

/** Sends what changed of the files; of works that are not chosen those of before stand. */
async function sendFiles(run, plans, wanted) {
  const faults = [];
  for (const plan of plans)
    for (const file of plan.work.files) {
      const isWanted = wanted.includes(plan) || plan.remote === null;
      const kept = isWanted ? undefined : plan.known?.files?.[file.path];
      const asset = kept ?? (await sendFile(run, plan, file).catch((end) => takeFault(faults, end)));
      plan.assets[file.path] = asset;
      if (asset) run.assets.set(file.path, asset);
    }
  if (faults.length > 0) throw new Stop(EXIT.refused, faults);
}

function takeFault(faults, end) {
  if (!(end instanceof Stop) || end.exit !== EXIT.refused) throw end;
  faults.push(...end.faults);
}

/** Puts ids and hashes in place of paths and addresses, and sees which works have to be saved. */
async function bindAll(run, plans) {
  for (const plan of plans) {
    const { work, known } = plan;
    for (const link of work.links.filter(({ address }) => address !== undefined))
      if (!run.addresses.has(link.address))
        run.addresses.set(link.address, await findAddress(run, work, link));
    const files = work.links.filter(({ kind }) => kind === "file").map((link) => link.path ?? link.address);
    plan.from = Object.fromEntries(files.map((name) => [name, toSource(run, name)]));
    const isKnown = isAsKnown(run, plan);
    const isSame = known !== null && known.source_sha256 === plan.source && !run.options.rebind;
    if (isSame) plan.from = { ...plan.from, ...known.from };
    if (isKnown) continue;
    plan.told = { summary: summarize(plan) };
    plan.saves = true;
    rebuild(run, plan);
  }
}

function toSource(run, name) {
  const { asset_id, sha256, content_sha256 = sha256 } = run.assets.get(name) ?? run.addresses.get(name);
  return { asset_id, content_sha256 };
}

/** The limits of the day, before anything is written. */
function countLimits({ agent }, plans) {
  const released = plans.filter(({ releases }) => releases === "publish");
  return [
    ["publication", "publication_limit", agent.remaining.publications_today],
    ["update", "update_limit", agent.remaining.updates_today],
  ].flatMap(([counts, code, left]) => {
    const wanted = released.filter((plan) => plan.counts === counts).length;
    const message = `This run has ${wanted} ${counts}s, and ${left} are left until ${agent.remaining.resets_at}.`;
    return wanted > left ? stop(EXIT.refused, code, message).faults : [];
  });
}

/** The works of broadsheet.json that the folder no longer has. */
export function listLeftAlone({ state, folder, remote, options }) {
  const gone = Object.entries(state.works).filter(
    ([path]) => !folder.works.some((work) => work.path === path),
  );
  return gone.flatMap(([path, { id, type, revision_number }]) => {
    const listed = remote.find((one) => one.id === id);
    if (listed === undefined || options.only !== undefined) return [];
    const state_ = listed.published_revision === null ? "draft" : "published";
    return [{ path, did: "left_alone", state: state_, id, type, url: listed.public_url, revision_number }];
  });
}
