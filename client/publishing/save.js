import { randomUUID } from "node:crypto";
import { makeKey } from "../site/http.js";
import { rebuild, writeWork } from "./bodies.js";

const RANKS = { file: 0, dataset: 0, story: 1, brief: 1, external_project: 1, collection: 2 };

/** Files and datasets, then texts, then collections; what is named comes first. */
export function orderWorks(run, plans) {
  const ordered = new Set();
  const seen = new Set();
  const visit = (plan) => {
    if (seen.has(plan)) return;
    seen.add(plan);
    for (const { path, kind } of plan.work.links) {
      const named = kind === "work" && path !== undefined ? run.plans.get(path) : undefined;
      if (plans.includes(named)) visit(named);
    }
    ordered.add(plan);
  };
  for (const plan of plans.toSorted((one, other) => RANKS[one.work.type] - RANKS[other.work.type]))
    visit(plan);
  return [...ordered];
}

/** Saves a work as a draft; true where it names one that is not there yet, so that it has to be saved again. */
export async function saveWork(run, plan, again = false) {
  const { site, agent, state } = run;
  const { work } = plan;
  if (!plan.saves) return false;
  const isOpen = rebuild(run, plan);
  const { body, remote } = plan;
  const isNew = remote === null;
  const last = state.works[work.path]?.id ?? null;
  const before = plan.known ?? (isNew ? { id: null, type: work.type } : { id: remote.id, type: work.type });
  if (!again) state.works[work.path] = { ...before, ...(plan.checksum && { sending: plan.checksum }) };
  state.save();
  const key = makeKey(
    site.site,
    agent.id,
    work.path,
    isNew ? "create" : "save",
    body,
    isNew ? last : remote.lock_version,
  );
  const send = (used) =>
    isNew
      ? writeWork(run, plan, "POST", "/creations", { body, key: used })
      : writeWork(run, plan, "PATCH", `/creations/${remote.id}`, {
          body,
          key: used,
          ifMatch: remote.lock_version,
        });
  let answer = await send(key);
  const isReplayed = isNew && answer.headers.has("idempotent-replayed");
  if (isReplayed && (await site.ask("GET", `/creations/${answer.json.data.id}`)).status === 404)
    answer = await send(randomUUID());
  plan.remote = answer.json.data;
  plan.did = isNew || plan.did === "created" ? "created" : "updated";
  plan.told = { ...plan.told, ...takeTold(answer.json) };
  run.report.drafts.push({ path: work.path, id: plan.remote.id });
  noteWork(run, plan);
  return isOpen;
}

/** What an answer says beside the work. */
export const takeTold = ({ warnings, evidence }) => ({
  ...(warnings && { warnings }),
  ...(evidence && { evidence }),
});

/** Writes into broadsheet.json what the site has of a work now. */
export function noteWork(run, plan) {
  const { work, remote, assets, from, source, known } = plan;
  const files = Object.entries(assets).map(([path, { asset_id, sha256, bytes, dialect }]) => [
    path,
    { asset_id, sha256, bytes, ...(dialect && { dialect }) },
  ]);
  const checksum = remote.latest_revision.checksum ?? plan.latest?.checksum ?? known?.payload_sha256;
  run.state.works[work.path] = {
    id: remote.id,
    type: work.type,
    lock_version: remote.lock_version,
    revision_number: remote.latest_revision.revision_number,
    payload_sha256: checksum,
    source_sha256: source,
    ...(work.beside.change_summary !== undefined && { change_summary: work.beside.change_summary }),
    files: Object.fromEntries(files),
    ...(Object.keys(from).length > 0 && { from }),
  };
  run.state.save();
}

/** What is said of a work at the end. */
export function reportWork({ options }, plan) {
  const { work, remote, told, assets, saves, releases } = plan;
  const sent = Object.values(assets).flatMap((asset) => asset?.told ?? []);
  const hints = sent.flatMap(({ hints: list, filename }) =>
    list.map((hint) => ({ ...hint, file: filename })),
  );
  const inspected = sent.length === 1 ? sent[0]?.inspection : null;
  const rows = sent.reduce((sum, { appended_to }) => sum + (appended_to?.rows_added ?? 0), 0);
  const wouldDo = remote === null ? "created" : saves || releases ? "updated" : "unchanged";
  return {
    path: work.path,
    did: options.dryRun ? wouldDo : (plan.did ?? "unchanged"),
    state: stateOf(plan, options),
    id: remote?.id ?? null,
    url: remote?.public_url ?? null,
    revision_number: remote?.latest_revision.revision_number ?? null,
    evidence: told.evidence ?? null,
    hints,
    warnings: (told.warnings ?? []).filter(({ rows: ofHint }) => ofHint === undefined),
    ...(inspected?.kind === "table" && { rows: inspected.row_count, columns: inspected.columns.length }),
    ...(rows > 0 && { rows_added: rows }),
  };
}

function stateOf({ remote, releases }, { dryRun }) {
  if (dryRun && releases !== null) return releases === "schedule" ? "scheduled" : "published";
  if (remote?.scheduled_publication?.status === "pending") return "scheduled";
  return remote?.latest_revision.state === "published" ? "published" : "draft";
}
