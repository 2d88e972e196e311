import { randomUUID } from "node:crypto";
import { askCheck, placeFault, releaseBody } from "./check.js";
import { makeBody } from "./plan.js";
import { signBody } from "./sign.js";

const RANKS = { file: 0, dataset: 0, story: 1, brief: 1, external_project: 1, collection: 2 };

/** Files and datasets, then texts, then collections; what is named comes first. */
export function orderWorks(run, plans) {
  const rest = [...plans].sort((one, other) => RANKS[one.work.type] - RANKS[other.work.type]);
  const isAhead = ({ kind, path }) => kind === "work" && rest.includes(run.plans.get(path));
  const ordered = [];
  while (rest.length > 0) {
    const ready = rest.findIndex(({ work }) => !work.links.some(isAhead));
    ordered.push(...rest.splice(Math.max(ready, 0), 1));
  }
  return ordered;
}

/** A write of a work, under a key of all that it stands on; a refusal ends the run. */
async function write({ site, keyOf }, plan, { method = "POST", path, step, base, body, isNew = false }) {
  const send = (key) => {
    const sent = { body, key, ifMatch: isNew ? null : base };
    return site.send(method, path, sent, (fault) => placeFault(plan, fault));
  };
  let answer = await send(keyOf(plan.work.path, step, body, base));
  const isGone = async ({ id }) => (await site.ask("GET", `/creations/${id}`)).status === 404;
  if (isNew && answer.headers.has("idempotent-replayed") && (await isGone(answer.json.data)))
    answer = await send(randomUUID());
  const { data, warnings, evidence } = answer.json;
  plan.remote = data;
  plan.did = isNew || plan.did === "created" ? "created" : "updated";
  Object.assign(plan.told, warnings && { warnings }, evidence && { evidence });
}

/** Saves a work as a draft; what it names and is not there yet is left out, so that it has to be saved again. */
export async function saveWork(run, plan) {
  const { state, report } = run;
  const { work, remote, known } = plan;
  plan.blanks = undefined;
  makeBody(run, plan);
  if (plan.checksum === null && plan.leftOut.length === 0) await askCheck(run, plan);
  await signBody(run, plan);
  const last = state.works[work.path];
  const before = known ?? last ?? { id: remote?.id ?? null, type: work.type, files: {} };
  state.works[work.path] = { ...before, ...(plan.checksum && { sending: plan.checksum }) };
  state.save();
  const create = { path: "/creations", step: "create", base: last?.id ?? null, isNew: true };
  const path = `/creations/${remote?.id}`;
  const save = { method: "PATCH", path, step: "save", base: remote?.lock_version };
  await write(run, plan, { ...(remote === null ? create : save), body: plan.body });
  if (report.drafts.every(({ id }) => id !== plan.remote.id))
    report.drafts.push({ path: work.path, id: plan.remote.id });
  // What is left out yet is to be saved by the next run, if this one goes no further.
  noteWork(run, plan.leftOut.length > 0 ? { ...plan, source: null } : plan);
}

/** Publishes or schedules a work that was saved, or changes who can see it. */
export async function releaseWork(run, plan) {
  const { releases: step } = plan;
  if (step !== null) {
    const { id, lock_version: base, latest_revision } = plan.remote;
    const revision_id = step === "visibility" ? undefined : latest_revision.id;
    const body = { revision_id, ...releaseBody(run, plan) };
    await write(run, plan, { path: `/creations/${id}/${step}`, step, body, base });
    run.report.drafts = run.report.drafts.filter((draft) => draft.id !== id);
  }
  noteWork(run, plan);
}

/** Writes into broadsheet.json what the site has of a work now. */
export function noteWork({ state }, { work, remote, assets, from, source, known, latest = null }) {
  const toFile = ([path, file]) => {
    const { asset_id, sha256, bytes, dialect } = file;
    return [path, { asset_id, sha256, bytes, dialect: dialect ?? undefined }];
  };
  const { id, type, lock_version, latest_revision } = remote;
  const { revision_number, checksum } = latest_revision;
  const others = Object.keys(state.works).filter((path) => path !== work.path);
  for (const path of others) if (state.works[path].id === id) delete state.works[path];
  state.works[work.path] = {
    id,
    type,
    lock_version,
    revision_number,
    payload_sha256: checksum ?? latest?.checksum ?? known?.payload_sha256,
    source_sha256: source,
    change_summary: work.beside.change_summary,
    files: Object.fromEntries(Object.entries(assets).map(toFile)),
    from: Object.keys(from).length > 0 ? from : undefined,
    appending: state.works[work.path]?.appending,
  };
  state.save();
}

/** Whether readers have a work, or will have it, or it is a draft; of a dry run as it would be. */
function stateOf({ "dry-run": isDry }, { remote, releases }) {
  const { latest_revision, public_url, scheduled_publication } = remote ?? {};
  if (isDry && releases !== null) return releases === "schedule" ? "scheduled" : "published";
  if (scheduled_publication?.status === "pending") return "scheduled";
  return latest_revision?.state === "published" && public_url ? "published" : "draft";
}

/** What is said of a work at the end. @type {(run: any, plan: any) => any} */
export function reportWork(run, plan) {
  const { evidence = null, warnings = [] } = plan.told;
  const { work, remote, assets, saves, releases, did = "unchanged" } = plan;
  const fileOf = ({ field }) => work.files?.find(({ at }) => field.endsWith(`.${at}`))?.path;
  const tables = Object.values(assets).flatMap((asset) => asset?.told?.inspection ?? []);
  const [table] = tables.length === 1 ? tables : [];
  const rows_added = Object.values(assets).reduce((sum, asset) => sum + (asset?.rows_added ?? 0), 0);
  const state = stateOf(run.options, plan);
  const planned = run.options["dry-run"] && releaseBody(run, plan).publish_at;
  const publish_at = planned || remote?.scheduled_publication?.publish_at;
  const would = remote === null ? "created" : saves || releases ? "updated" : "unchanged";
  return {
    path: work.path,
    did: run.options["dry-run"] ? would : did,
    state,
    ...(state === "scheduled" && { publish_at }),
    id: remote?.id ?? null,
    url: remote?.public_url ?? null,
    revision_number: remote?.latest_revision.revision_number ?? null,
    evidence,
    hints: warnings.filter(({ rows }) => rows).map((hint) => ({ ...hint, file: fileOf(hint) })),
    // A schedule that a save ends is set again.
    warnings: warnings.filter(
      ({ rows, code }) => !rows && !(state === "scheduled" && code === "schedule_cancelled"),
    ),
    ...(table?.kind === "table" && { rows: table.row_count, columns: table.columns.length }),
    ...(rows_added && { rows_added }),
  };
}
