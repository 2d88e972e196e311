import { EXIT, Stop } from "../reading/faults.js";
import { bindPayload } from "../reading/links.js";
import { sha256, toCanonical } from "../site/http.js";

/** All entries of a list of the site. */
export async function listPages(site, path) {
  const list = [];
  for (let page = 1, last = 1; page <= last; page++) {
    const { data, meta } = await site.get(`${path}&page=${page}`);
    list.push(...data);
    last = meta.last_page;
  }
  return list;
}

/** The works of the caller, whatever their state. */
export const listOwn = (site) => listPages(site, "/creations?per_page=100");

/**
 * A work of the folder beside what there is of it: `known` in broadsheet.json, `remote` in the site's list, found by its
 * id or by slug and type, and `latest`, its newest revision, where that may be another than the known one.
 */
export async function planWork(run, work) {
  const known = run.state.works[work.path] ?? null;
  const byId = run.remote.find(({ id }) => id === known?.id);
  const bySlug = run.remote.find(({ slug, type }) => slug === work.slug && type === work.type);
  const remote = byId ?? bySlug ?? null;
  const isKnown = byId !== undefined && !known.sending;
  const isOther = isKnown ? byId.latest_revision.revision_number !== known.revision_number : remote !== null;
  const latest = isOther ? (await run.site.get(`/creations/${remote.id}`)).data.latest_revision : null;
  return {
    ...{ work, known: byId ? known : null, remote, latest, isOther, source: hashSource(work) },
    ...{ assets: {}, from: {}, leftOut: [], told: {}, saves: false },
    ...{ releases: null, checksum: null },
  };
}

/** A hash of what a folder says of a work, with paths in place of ids. */
export const hashSource = ({ type, payload, beside: { section, disclosure } }) =>
  sha256(toCanonical([type, payload, section, disclosure]));

/** Whether the newest revision is one that this folder did not make, and says neither what it knows nor what it would send. */
export function isConflict({ known, latest, isOther, checksum }) {
  if (!isOther || known === null || latest.revision_number === known.revision_number) return false;
  return ![known.sending, known.payload_sha256, checksum].includes(latest.checksum);
}

/** Ends the run where a revision of another hand would be replaced. */
export function refuseConflicts({ options }, plans) {
  const conflicts = options.force ? [] : plans.filter(isConflict);
  const hint = "Look at it with status and pull, or publish with --force.";
  const faults = conflicts.map(({ work: { file, path }, known, latest }) => {
    const message = `${path} has revision ${latest.revision_number} on the site; this folder knows ${known.revision_number}.`;
    return { path: file, code: "revision_changed", message, hint };
  });
  if (faults.length > 0) throw new Stop(EXIT.conflict, ...faults);
}

/** Whether nothing of a work has to be sent: it is as in broadsheet.json, and so on the site. */
export function isAsKnown({ options }, { work, known, source, isOther, assets, from }) {
  if (known === null || isOther || known.source_sha256 !== source) return false;
  const isSame = ({ path }) => known.files[path]?.asset_id === assets[path]?.asset_id;
  return work.files.every(isSame) && (!options.rebind || !isRebound(known, from));
}

const isRebound = (known, from) =>
  Object.entries(from).some(([path, { asset_id }]) => known?.from?.[path]?.asset_id !== asset_id);

/** What changed, in sentences for readers. */
function summarize({ work, known, source, assets, from }) {
  const files = work.files.flatMap(({ path }) => {
    const [before, now, name] = [known?.files[path], assets[path], path.split("/").at(-1)];
    const rows = now.rows_added && `${now.rows_added} row${now.rows_added === 1 ? "" : "s"} added`;
    const what = rows || (before ? "a new version" : "added");
    return before?.asset_id === now.asset_id ? [] : `${name}: ${what}.`;
  });
  const text = work.payload.body_markdown === undefined ? "Description changed." : "Text changed.";
  const bound = isRebound(known, from) ? ["Bound to the newest data."] : [];
  return [...(known?.source_sha256 === source ? bound : [text]), ...files].join(" ").slice(0, 500) || text;
}

/** Makes the body of a work from the ids that there are by now. */
export function makeBody({ plans, addresses, options }, plan) {
  const { work, remote, known, from, assets } = plan;
  const toId = ({ path, address }) =>
    path ? (plans.get(path).remote?.id ?? null) : addresses.get(address).id;
  const { payload, leftOut } = bindPayload(work, toId, ({ path, address }) => from[path ?? address]);
  for (const { path, at } of work.files)
    payload.attachments[at] = { asset_id: assets[path].asset_id, ...payload.attachments[at] };
  const { section, disclosure, change_summary: own, ...beside } = work.beside;
  // What the front matter says of a change is said once.
  const isSaid = own !== undefined && own !== known?.change_summary;
  const said = isSaid ? beside : {};
  const { minor = said.minor, correction = said.correction } = options;
  const summary = remote?.first_published_at ? summarize(plan) : undefined;
  const change_summary = options.changeSummary ?? (isSaid ? own : summary);
  const head = remote === null ? { type: work.type, slug: work.slug } : {};
  plan.leftOut = leftOut;
  plan.body = { ...head, payload, section, disclosure, change_summary, minor, correction };
}
