import { EXIT, refuseAll, Stop, usage } from "../reading/faults.js";
import { addWork, describeOther, openFolder, TABLE, toSlug } from "../reading/read-folder.js";
import { checkWork, placeFault } from "./check.js";
import { findAddress, isAsKnown, listOwn, makeBody, planWork, refuseConflicts } from "./plan.js";
import { planProfile, publishProfile } from "./profile.js";
import { orderWorks, releaseWork, reportWork, saveWork } from "./save.js";
import { sendFile } from "./upload.js";

/** Makes the works on the site equal to those of a folder; what was done stands in the report, whatever ends the run. */
export async function publishFolder(run) {
  const { options, report } = run;
  const plans = await planWorks(run);
  const wanted = plans.filter(({ work }) => options.only === undefined || work.path === options.only);
  const isWanted = ({ path }) => wanted.some(({ work }) => work.file === path);
  // Of an append, what is wrong with other works does not keep it back.
  refuseAll(run.folder.faults.filter(isWanted));
  run.profile = await planProfile(run);
  refuseNothing(run);
  const paths = plans.map(({ work }) => work.path).join(", ");
  const message = `There is no work ${options.only} in this folder; there are ${paths}.`;
  if (options.only !== undefined && wanted.length === 0) throw usage(message, "not_found");
  await sendFiles(run, plans, wanted);
  const bound = await inTurn(wanted, (plan) => bindWork(run, plan, wanted));
  const checked = bound.flat().length > 0 ? bound : await inTurn(wanted, (plan) => checkWork(run, plan));
  refuseConflicts(run, wanted);
  refuseAll([...checked, run.profile?.faults ?? [], countLimits(run, wanted)].flat());
  if (!options["dry-run"]) await publishProfile(run);
  if (run.profile) report.works.push(run.profile.told);
  if (!options["dry-run"]) await write(run, wanted);
  report.works.push(...wanted.map((plan) => reportWork(run, plan)), ...listLeftAlone(run));
}

/** Ends the first run of a folder that has no work, and says why its files are none. */
function refuseNothing({ folder, profile, state }) {
  const files = [...folder.paths].slice(0, 10);
  const isWork = folder.works.length > 0 || folder.profile || Object.keys(state.works).length > 0;
  if (isWork || (profile && files.length === 0)) return;
  const message = `There is nothing to publish: ${files.map(describeOther).join(", ") || "the folder is empty"}.`;
  refuseAll([{ code: "nothing_to_publish", message, hint: "A story begins with ---, title: T, ---." }]);
}

/** Sets each work of the folder beside what the site has of it. */
export async function planWorks(run) {
  run.remote = await listOwn(run.site);
  const plans = await inTurn(run.folder.works, (work) => planWork(run, work));
  run.plans = new Map(plans.map((plan) => [plan.work.path, plan]));
  return plans;
}

async function write(run, wanted) {
  run.report.not_checked = [];
  const ordered = orderWorks(run, wanted);
  const saved = ordered.filter(({ saves }) => saves);
  await inTurn(saved, (plan) => saveWork(run, plan));
  await inTurn(
    saved.filter(({ leftOut }) => leftOut.length > 0),
    (plan) => saveWork(run, plan),
  );
  await inTurn(ordered, (plan) => releaseWork(run, plan));
}

/** Does a step for one thing after the other. */
async function inTurn(things, step) {
  const results = [];
  for (const thing of things) results.push(await step(thing));
  return results;
}

/** Sends what changed of the files of works, and of those that they ask; of works that are not chosen those of before stand. */
async function sendFiles(run, plans, wanted) {
  const faults = [];
  // What a package says of how a file is read stands there.
  const place = (plan, { at }, fault) => {
    const { field } = fault;
    if (!/^dialect/.test(field)) return fault;
    const member = field.replace("dialect.encoding", "encoding");
    return { ...placeFault(plan, { ...fault, field: `attachments.${at}.${member}` }), field };
  };
  const take = (plan, file) => (end) => {
    if (!(end instanceof Stop) || end.exit !== EXIT.refused) throw end;
    faults.push(...end.faults.map((fault) => place(plan, file, fault)));
  };
  const used = wanted.flatMap(({ work }) => work.files.concat(work.links).map(({ path }) => path));
  for (const plan of plans)
    for (const file of plan.work.files.filter(({ path }) => used.includes(path))) {
      const kept = wanted.includes(plan) ? undefined : plan.known?.files[file.path];
      const asset = kept ?? (await sendFile(run, plan, file).catch(take(plan, file)));
      plan.assets[file.path] = asset;
      const { dictionary } = plan.work.payload.attachments[file.at];
      const blank = asset?.told && [dictionary?.columns].flat().flatMap(toBlank);
      if (asset) run.assets.set(file.path, { ...asset, blank });
    }
  refuseAll(faults);
}

const toBlank = (column) =>
  column?.missing_values?.length > 0 ? [{ column: column.name, values: column.missing_values }] : [];

/** Puts ids and hashes in place of paths and addresses, and sees whether a work has to be saved. */
export async function bindWork(run, plan, wanted) {
  const { work, known, source } = plan;
  for (const link of work.links.filter(({ address }) => address !== undefined)) {
    const found = link.kind === "file" ? run.assets : run.addresses;
    if (!found.has(link.address)) found.set(link.address, await findAddress(run, work.file, link));
  }
  for (const { path, address = path } of work.links.filter(({ kind }) => kind === "file")) {
    const { asset_id, sha256, content_sha256 = sha256, blank } = run.assets.get(address);
    plan.from[address] = { asset_id, content_sha256 };
    // The site takes it from the dictionary of a file, which it has from the first save on.
    if (blank?.length > 0) plan.blanks = { ...plan.blanks, [address]: { blank } };
  }
  plan.saves = !isAsKnown(run, plan);
  const isSame = known?.source_sha256 === source;
  if (isSame && !run.options.rebind) Object.assign(plan.from, known.from);
  if (!plan.saves) return [];
  makeBody(run, plan);
  const isMissing = ({ kind, path }) =>
    kind === "work" && path && !wanted.includes(run.plans.get(path)) && !run.plans.get(path).remote;
  return work.links.filter(isMissing).map(({ path, line, field }) => {
    const message = `${path} is not on the site yet; publish it, too.`;
    return { path: work.file, line, field, code: "not_found", message };
  });
}

/** The limits of the day, before anything is written. */
function countLimits({ agent }, plans) {
  const { publications_today, updates_today, resets_at } = agent.remaining;
  const limits = Object.entries({ publication: publications_today, update: updates_today });
  return limits.flatMap(([counts, left]) => {
    const wanted = plans.filter((plan) => plan.releases === "publish" && plan.counts === counts).length;
    const message = `This run has ${wanted} ${counts}s, and ${left} are left until ${resets_at}.`;
    return wanted > left ? [{ code: `${counts}_limit`, message }] : [];
  });
}

/** The works of broadsheet.json that the folder no longer has, at any path. */
export function listLeftAlone({ state, plans, remote, options }) {
  const here = [...plans.values()].flatMap((plan) => [plan.work.path, plan.remote?.id]);
  const known = options.only === undefined ? Object.entries(state.works) : [];
  return known.flatMap(([path, { id, revision_number }]) => {
    const { public_url: url, published_revision } = remote.find((one) => one.id === id) ?? {};
    if (url === undefined || here.includes(path) || here.includes(id)) return [];
    const state = published_revision ? "published" : "draft";
    return { path, did: "left_alone", state, id, url, revision_number };
  });
}

/** A folder of one table: what is not said on the command line is as the site has it. */
export async function readTable({ options, site, state }, root, path) {
  const id = state.works[path]?.id;
  const known = id === undefined ? null : await site.ask("GET", `/creations/${id}`);
  const name = path.replace(TABLE, "");
  const { attachments, ...rest } = known?.ok ? known.json.data.latest_revision.payload : {};
  const { asset_id: _, canonical_sha256: __, ...said } = attachments?.[0] ?? { label: name };
  const { title = rest.title, license = rest.license, summary = rest.summary } = options;
  const members = { ...rest, title, license, summary, slug: toSlug(name), attachments: [said] };
  const folder = openFolder(root, site.site);
  const files = [{ path, dialect: null, at: 0 }];
  addWork(folder, { path, type: "dataset", source: { members, lineOf: () => null }, files });
  return folder;
}
